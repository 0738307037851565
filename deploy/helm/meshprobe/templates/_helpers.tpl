{{- define "meshprobe.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "meshprobe.probePort" -}}
{{ .Values.ports.probe | default (eq .Values.network "cilium" | ternary 4247 4240) }}
{{- end }}

{{- define "meshprobe.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* What the schema cannot say in words. */}}
{{- define "meshprobe.validate" -}}
{{- $elsewhere := dict "node-name" "nothing, each agent has its node's" "endpoint-namespace" "--namespace" "probe-port" "ports.probe" "health-listen" "ports.health" "api-listen" "api.address and ports.api" "api-token-file" "api.tokenSecret" "mesh-key-file" "meshKeySecret" "metrics-listen" "metrics" }}
{{- range $name, $_ := .Values.settings }}
{{- with get $elsewhere $name }}
{{- fail (printf "settings.%s is not taken here, it is set by: %s" $name .) }}
{{- end }}
{{- end }}
{{- if and (not (has .Values.api.address (list "127.0.0.1" "localhost" "[::1]"))) (not .Values.api.tokenSecret) }}
{{- fail (printf "api.address: expected loopback where there is no api.tokenSecret, got %s" .Values.api.address) }}
{{- end }}
{{- if and .Values.serviceMonitor.enabled (not .Values.metrics.enabled) }}
{{- fail "serviceMonitor.enabled: expected metrics.enabled too, got false" }}
{{- end }}
{{- end }}
