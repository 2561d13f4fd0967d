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

// As the command of that name writes what it is given. The text is thrown away.
func write(value cue.Value, isExport bool) error {
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

// How long it took to read and parse, to compile, evaluate and check, and to write.
type times struct{ loading, evaluation, writing time.Duration }

// As the commands of the same names do it.
func round(folder string, files []string, isExport bool) (spent times, code int) {
	start := time.Now()
	instances := load.Instances(files, &load.Config{Dir: folder})
	spent.loading = time.Since(start)
	for _, instance := range instances {
		if instance.Err != nil {
			return spent, 2
		}
		start = time.Now()
		value := cuecontext.New().BuildInstance(instance)
		err := value.Validate()
		spent.evaluation += time.Since(start)
		if err == nil {
			start = time.Now()
			err = write(value, isExport)
			spent.writing += time.Since(start)
		}
		if err != nil {
			code = 1
		}
	}
	return spent, code
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
		var loading, evaluation, writing []time.Duration
		code := 0
		for i := 0; i <= rounds; i++ {
			spent, verdict := round(words[1], words[2:], words[0] == "export")
			code = verdict
			if i > 0 {
				loading = append(loading, spent.loading)
				evaluation = append(evaluation, spent.evaluation)
				writing = append(writing, spent.writing)
			}
		}
		fmt.Printf("%d\t%.2f\t%.2f\t%.2f\n", code, median(loading), median(evaluation), median(writing))
	}
}
