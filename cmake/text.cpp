// The members of std::string, compiled for speed. Rooms that are compiled for size have their own, which copy byte by byte; what stands
// in the program itself comes before what is in the archives of the rooms, so that all of them use these.
#include <string>

template class std::basic_string<char>;
