// Package kubernetes names the Go types that `cue get go` turns into CUE; nothing is compiled from it.
package kubernetes

import (
	_ "k8s.io/api/apps/v1"
	_ "k8s.io/api/autoscaling/v2"
	_ "k8s.io/api/batch/v1"
	_ "k8s.io/api/networking/v1"
)
