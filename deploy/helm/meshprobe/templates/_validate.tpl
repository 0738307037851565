{{- /* What the schema cannot say, or not in words. */}}
{{- define "meshprobe.validate" -}}
{{- include "meshprobe.validateSettings" . }}
{{- include "meshprobe.validatePods" . }}
{{- include "meshprobe.validatePorts" . }}
{{- include "meshprobe.validateTargets" . }}
{{- include "meshprobe.validateScheduling" . }}
{{- $isLoopback := regexMatch `^(localhost|127\..*|\[[0:]*:0{0,3}1\])$` .Values.api.address }}
{{- $isInsecure := eq "true" (get .Values.settings "api-insecure" | toString) }}
{{- if not (or $isLoopback .Values.api.tokenSecret $isInsecure) }}
{{- fail (printf "api.address: expected loopback where there is no api.tokenSecret, got %s" .Values.api.address) }}
{{- end }}
{{- range $monitor := list "serviceMonitor" "podMonitor" }}
{{- if and (get $.Values $monitor).enabled (not $.Values.metrics.enabled) }}
{{- fail (printf "%s.enabled: expected metrics.enabled too, got false" $monitor) }}
{{- end }}
{{- with (get $.Values $monitor).scrapeTimeout }}
{{- $interval := (get $.Values $monitor).interval }}
{{- if gt (include "meshprobe.ms" . | float64) (include "meshprobe.ms" $interval | float64) }}
{{- fail (printf "%s.scrapeTimeout: expected at most the interval of %s, got %s" $monitor $interval .) }}
{{- end }}
{{- end }}
{{- end }}
{{- with get .Values.settings "node-source" }}
{{- if ne . "kubernetes" }}
{{- fail (printf "settings.node-source: expected kubernetes, for pods of this chart have no nodes file and no socket of Cilium, got %s" (toString .)) }}
{{- end }}
{{- end }}
{{- if and (or .Values.kubernetesStatus.conditions .Values.kubernetesStatus.events) (has (get .Values.settings "mesh" | toString) (list "off" "false")) }}
{{- fail "kubernetesStatus: expected settings.mesh on, got off" }}
{{- end }}
{{- if and .Values.networkPods.namespaces (has (get .Values.settings "host-signs" | toString) (list "off" "false")) }}
{{- fail "networkPods.namespaces: expected settings.host-signs on, got off" }}
{{- end }}
{{- if and .Values.serviceMonitor.enabled .Values.podMonitor.enabled }}
{{- fail "podMonitor.enabled: expected one of podMonitor and serviceMonitor, got both, which would scrape each agent twice" }}
{{- end }}
{{- end }}

{{- /* Settings that other values make. */}}
{{- define "meshprobe.elsewhere" -}}
node-name: nothing, each agent has its node's
endpoint-namespace: the namespace of the release
probe-port: ports.probe
udp-port: udpPort
health-listen: ports.health
api-listen: api.address and ports.api
api-token-file: api.tokenSecret
mesh-key-file: meshKeySecret
notify-file: notifySecret
metrics-listen: metrics
kubernetes-conditions: kubernetesStatus.conditions
kubernetes-events: kubernetesStatus.events
network-pods: networkPods.namespaces
targets: targets.builtIn and targets.list
targets-file: targets.list
{{- end }}

{{- define "meshprobe.validateSettings" -}}
{{- $elsewhere := include "meshprobe.elsewhere" . | fromYaml }}
{{- range $name, $_ := .Values.settings }}
{{- with get $elsewhere $name }}
{{- fail (printf "settings.%s is not taken here, it is set by: %s" $name .) }}
{{- end }}
{{- end }}
{{- $forms := .Files.Get "files/settings.json" | fromJson }}
{{- range $name, $form := $forms.settings }}
{{- if and $form.pattern (hasKey $.Values.settings $name) }}
{{- $value := get $.Values.settings $name }}
{{- $text := kindIs "slice" $value | ternary (join "," $value) (toString $value) }}
{{- if not (regexMatch $form.pattern $text | and (include "meshprobe.isInBounds" (list $text $form))) }}
{{- fail (printf "settings.%s: expected %s, got %s" $name $form.expected (toJson $value)) }}
{{- end }}
{{- end }}
{{- end }}
{{- range $name, $address := dict "api" .Values.api.address "metrics" .Values.metrics.address }}
{{- if not (regexMatch $forms.listenHost.pattern $address) }}
{{- fail (printf "%s.address: expected %s, got %s" $name $forms.listenHost.expected $address) }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Whether (list TEXT FORM) is no duration, or one within its bounds: "true" or nothing. */}}
{{- define "meshprobe.isInBounds" -}}
{{- $form := index . 1 }}
{{- if hasKey $form "minMs" }}
{{- $ms := include "meshprobe.ms" (index . 0) | float64 }}
{{- if and (ge $ms $form.minMs) (le $ms $form.maxMs) }}true{{ end }}
{{- else }}true{{ end }}
{{- end }}

{{- /* A duration in milliseconds. */}}
{{- define "meshprobe.ms" -}}
{{- $unitMs := dict "ns" 0.000001 "us" 0.001 "µs" 0.001 "ms" 1.0 "s" 1000.0 "m" 60000.0 "h" 3600000.0 "d" 86400000.0 "w" 604800000.0 "y" 31536000000.0 }}
{{- $ms := 0.0 }}
{{- range regexFindAll "[0-9.]+[a-zµ]+" . -1 }}
{{- $ms = addf $ms (mulf (regexFind "[0-9.]+" . | float64) (get $unitMs (regexFind "[a-zµ]+" .))) }}
{{- end }}
{{- $ms }}
{{- end }}

{{- /* What pods are given may not replace what the chart gives them. */}}
{{- define "meshprobe.validatePods" -}}
{{- $ours := list "NODE_OPTIONS" "HEALTH_PORT" "API_ADDRESS" "API_PORT" "METRICS_ADDRESS" "METRICS_PORT" }}
{{- range $name, $_ := include "meshprobe.elsewhere" . | fromYaml }}
{{- $ours = append $ours (printf "MESHPROBE_%s" ($name | upper | replace "-" "_")) }}
{{- end }}
{{- $settings := list }}
{{- $arguments := list }}
{{- range (.Files.Get "files/settings.json" | fromJson).names }}
{{- $settings = append $settings (printf "MESHPROBE_%s" (. | upper | replace "-" "_")) }}
{{- if not (hasKey (include "meshprobe.elsewhere" $ | fromYaml) .) }}
{{- $arguments = append $arguments (printf "--%s" .) }}
{{- end }}
{{- end }}
{{- range .Values.agent.extraArgs }}
{{- if not (has (splitList "=" . | first) $arguments) }}
{{- fail (printf "agent.extraArgs: expected --NAME=VALUE of a setting that the chart does not set, got %s" .) }}
{{- end }}
{{- end }}
{{- range .Values.endpoint.extraArgs }}
{{- if not (regexMatch "^--(listen-address|target-budget|cluster-dns|cluster-domain|agent-source)=" .) }}
{{- fail (printf "endpoint.extraArgs: expected --NAME=VALUE of a flag of the responder that the chart does not set, got %s" .) }}
{{- end }}
{{- end }}
{{- $selector := include "meshprobe.selectorLabels" "" | fromYaml }}
{{- range $component := list "agent" "endpoint" }}
{{- $pods := get $.Values $component }}
{{- range $pods.extraEnv }}
{{- if has .name $ours }}
{{- fail (printf "%s.extraEnv: expected variables that the chart does not set, got %s" $component .name) }}
{{- end }}
{{- if and (hasPrefix "MESHPROBE_" .name) (not (has .name $settings)) }}
{{- fail (printf "%s.extraEnv: expected the variable of a setting, got %s" $component .name) }}
{{- end }}
{{- end }}
{{- range $label, $_ := $pods.podLabels }}
{{- if hasKey $selector $label }}
{{- fail (printf "%s.podLabels: expected labels by which pods are not found, got %s" $component $label) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- /* The agents are on the host's network, so each port is taken once. */}}
{{- define "meshprobe.validatePorts" -}}
{{- $ports := .Values.ports }}
{{- $names := ternary (list "health" "api" "metrics") (list "health" "api") .Values.metrics.enabled }}
{{- $taken := dict (include "meshprobe.probePort" .) "probe" }}
{{- range $name := $names }}
{{- $port := get $ports $name | toString }}
{{- with get $taken $port }}
{{- fail (printf "ports: expected different ones, got %s for %s and %s" $port . $name) }}
{{- end }}
{{- $_ := set $taken $port $name }}
{{- end }}
{{- end }}

{{- /* With more of them, or one twice, agents and endpoints would not start. */}}
{{- define "meshprobe.validateTargets" -}}
{{- $listed := list }}
{{- range .Values.targets.list }}
{{- if has .name $listed }}
{{- fail (printf "targets.list: expected each name once, got %s again" .name) }}
{{- end }}
{{- $listed = append $listed .name }}
{{- end }}
{{- $builtIn := ternary (list "cluster-dns" "api-server" "service") list (eq .Values.targets.builtIn "auto") }}
{{- $names := concat $listed $builtIn | uniq }}
{{- if gt (len $names) 16 }}
{{- fail (printf "targets.list: expected at most 16 targets with those of targets.builtIn, got %d" (len $names)) }}
{{- end }}
{{- end }}

{{- /* What the API server would refuse, or what no scheduler could do. */}}
{{- define "meshprobe.validateScheduling" -}}
{{- range $component := list "agent" "endpoint" }}
{{- $pods := get $.Values $component }}
{{- $strategy := $pods.updateStrategy | default dict }}
{{- if ne "OnDelete" (get $strategy "type") }}
{{- $rolling := get $strategy "rollingUpdate" | default dict }}
{{- $isZero := dict }}
{{- range $name, $default := dict "maxUnavailable" 1 "maxSurge" 0 }}
{{- $amount := hasKey $rolling $name | ternary (get $rolling $name) $default }}
{{- $_ := regexMatch "^0+%?$" (toString $amount) | set $isZero $name }}
{{- end }}
{{- $at := printf "%s.updateStrategy.rollingUpdate" $component }}
{{- if and (eq $component "agent") (not $isZero.maxSurge) }}
{{- fail (printf "%s.maxSurge: expected 0, got %v: two agents cannot have the same ports of one node" $at $rolling.maxSurge) }}
{{- end }}
{{- if and $isZero.maxUnavailable $isZero.maxSurge }}
{{- fail (printf "%s.maxUnavailable: expected more than 0%s, got %v" $at (eq $component "agent" | ternary "" " where maxSurge is 0") $rolling.maxUnavailable) }}
{{- end }}
{{- if not (or $isZero.maxUnavailable $isZero.maxSurge) }}
{{- fail (printf "%s: expected one of maxUnavailable and maxSurge to be 0, got %v and %v" $at (get $rolling "maxUnavailable" | default 1) $rolling.maxSurge) }}
{{- end }}
{{- end }}
{{- range $index, $toleration := $pods.tolerations }}
{{- $at := printf "%s.tolerations[%d]" $component $index }}
{{- $operator := get $toleration "operator" | default "Equal" }}
{{- if and (ne "Exists" $operator) (not (get $toleration "key")) }}
{{- fail (printf "%s: expected a key, or the operator Exists for every key, got %s" $at (toJson $toleration)) }}
{{- end }}
{{- if and (eq "Exists" $operator) (get $toleration "value") }}
{{- fail (printf "%s.value: expected none with the operator Exists, got %s" $at $toleration.value) }}
{{- end }}
{{- if and (hasKey $toleration "tolerationSeconds") (ne "NoExecute" (get $toleration "effect")) }}
{{- fail (printf "%s.tolerationSeconds: expected the effect NoExecute with it, got %s" $at (get $toleration "effect" | quote)) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
