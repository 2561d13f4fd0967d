// CLI11 includes <iostream>, whose eight streams and their locale are made before main() runs: that takes a short run a tenth of its
// instructions, and nobody writes to them, as all output goes through cli::Output. So the linker is told to put these functions in
// the place of those that make them and flush them at the end (--wrap). A test looks that nobody uses the streams.
extern "C" {

void __wrap__ZNSt8ios_base4InitC1Ev(void* /*streams*/) {}
void __wrap__ZNSt8ios_base4InitD1Ev(void* /*streams*/) {}

}  // extern "C"
