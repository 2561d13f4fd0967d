// Says how long evaluations take with CUE's own packages, within the process: the counterpart of bench/evaluation_times.cpp, which
// describes what it reads and prints.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/load"
)

// As the commands of the same names do it. The text is thrown away.
func finish(value cue.Value, isExport bool) error {
	if err := value.Validate(); err != nil {
		return err
	}
	if isExport {
		if err := value.Validate(cue.Concrete(true)); err != nil {
			return err
		}
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetIndent("", "    ")
		return encoder.Encode(value)
	}
	options := []cue.Option{cue.Final(), cue.Definitions(true), cue.Attributes(false), cue.Optional(false), cue.ErrorsAsValues(false)}
	_, err := format.Node(value.Syntax(options...), format.UseSpaces(4), format.TabIndent(false))
	return err
}

func round(folder string, files []string, isExport bool) (loading, rest time.Duration, code int) {
	start := time.Now()
	instances := load.Instances(files, &load.Config{Dir: folder})
	loading = time.Since(start)
	start = time.Now()
	for _, instance := range instances {
		if instance.Err != nil {
			return loading, time.Since(start), 2
		}
		value := cuecontext.New().BuildInstance(instance)
		if finish(value, isExport) != nil {
			code = 1
		}
	}
	return loading, time.Since(start), code
}

func median(durations []time.Duration) float64 {
	slices.Sort(durations)
	middle := len(durations) / 2
	if len(durations)%2 == 1 {
		return float64(durations[middle].Nanoseconds()) / 1000
	}
	return float64((durations[middle-1] + durations[middle]).Nanoseconds()) / 2000
}

func main() {
	rounds := 9
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		words := strings.Split(input.Text(), "\t")
		// No case pays for what the one before left behind.
		runtime.GC()
		var loading, rest []time.Duration
		code := 0
		for i := 0; i <= rounds; i++ {
			first, second, verdict := round(words[1], words[2:], words[0] == "export")
			code = verdict
			if i > 0 {
				loading, rest = append(loading, first), append(rest, second)
			}
		}
		fmt.Printf("%d\t%.2f\t%.2f\n", code, median(loading), median(rest))
	}
}
