{{- /* What all objects are called after. */}}
{{- define "meshprobe.name" -}}
{{ .Values.nameOverride | default "meshprobe" }}
{{- end }}

{{- define "meshprobe.namespace" -}}
{{ .Values.namespaceOverride | default .Release.Namespace }}
{{- end }}

{{- define "meshprobe.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end }}
{{- end }}
{{- end }}

{{- define "meshprobe.probePort" -}}
{{ .Values.ports.probe | default (eq .Values.network "cilium" | ternary 4247 4240) }}
{{- end }}

{{- define "meshprobe.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* The labels by which pods are found. They do not follow nameOverride: the agents look for endpoints by
them, and so do `kubectl meshprobe`, the alerts and the board. */}}
{{- define "meshprobe.selectorLabels" -}}
app.kubernetes.io/name: meshprobe
app.kubernetes.io/component: {{ . }}
{{- end }}

{{- define "meshprobe.releaseLabels" -}}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | replace "+" "_" | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | quote }}
{{- end }}

{{- /* The labels of an object: (list $ COMPONENT), or (list $ COMPONENT MORE). */}}
{{- define "meshprobe.labels" -}}
{{- $root := index . 0 }}
{{- $labels := include "meshprobe.releaseLabels" $root | fromYaml }}
{{- with index . 1 }}
{{- $labels = merge (include "meshprobe.selectorLabels" . | fromYaml) $labels }}
{{- else }}
{{- $_ := set $labels "app.kubernetes.io/name" "meshprobe" }}
{{- end }}
{{- if gt (len .) 2 }}
{{- $labels = merge $labels (index . 2) }}
{{- end }}
{{- toYaml $labels }}
{{- end }}

{{- /* The account of (list $ COMPONENT DEFAULT-NAME). */}}
{{- define "meshprobe.serviceAccount" -}}
{{- $account := (get (index . 0).Values (index . 1)).serviceAccount }}
{{- $account.name | default ($account.create | ternary (index . 2) "default") }}
{{- end }}

{{- define "meshprobe.agentAccount" -}}
{{ include "meshprobe.serviceAccount" (list . "agent" (include "meshprobe.name" .)) }}
{{- end }}

{{- define "meshprobe.endpointAccount" -}}
{{ include "meshprobe.serviceAccount" (list . "endpoint" (printf "%s-endpoint" (include "meshprobe.name" .))) }}
{{- end }}

{{- /* How the pods of (list $ COMPONENT) are replaced. */}}
{{- define "meshprobe.updateStrategy" -}}
{{- $strategy := (get (index . 0).Values (index . 1)).updateStrategy | default dict }}
{{- toYaml (eq "OnDelete" (get $strategy "type") | ternary (dict "type" "OnDelete") $strategy) }}
{{- end }}

{{- /* Where the pods of (list $ COMPONENT) run, and how important they are. */}}
{{- define "meshprobe.scheduling" -}}
{{- $pods := get (index . 0).Values (index . 1) -}}
priorityClassName: {{ $pods.priorityClassName | default (include "meshprobe.name" (index . 0)) | quote }}
nodeSelector:
  {{- merge (dict) ($pods.nodeSelector | default dict) (dict "kubernetes.io/os" "linux") | toYaml | nindent 2 }}
{{- with $pods.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pods.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* A probe of (list NAME TIMING HTTP-GET); a null timing makes none. */}}
{{- define "meshprobe.probe" -}}
{{- with index . 1 }}
{{ index $ 0 }}Probe:
  httpGet:
    {{- toYaml (index $ 2) | nindent 4 }}
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Whether the agents look for pods as endpoints: "true" or nothing. */}}
{{- define "meshprobe.looksForPods" -}}
{{- $settings := .Values.settings }}
{{- $isOn := .Values.endpoint.enabled }}
{{- if hasKey $settings "enable-endpoint-health-checking" }}
{{- $isOn = eq "true" (get $settings "enable-endpoint-health-checking" | toString) }}
{{- end }}
{{- if and $isOn (ne "ciliumnodes" (get $settings "endpoint-source" | toString)) }}true{{ end }}
{{- end }}

{{- /* The environment that the settings make. */}}
{{- define "meshprobe.settings" -}}
{{- $settings := dict "node-source" "kubernetes" }}
{{- if not (or .Values.endpoint.enabled (eq "ciliumnodes" (get .Values.settings "endpoint-source" | toString))) }}
{{- $_ := set $settings "enable-endpoint-health-checking" false }}
{{- end }}
{{- $forms := (.Files.Get "files/settings.json" | fromJson).settings }}
{{- range $name, $value := mergeOverwrite $settings .Values.settings }}
{{- with get $forms $name }}
{{- $value = get (.fromYaml11 | default dict) (toString $value) | default $value }}
{{- end }}
{{- if kindIs "slice" $value }}
{{- $value = join "," $value }}
{{- end }}
MESHPROBE_{{ $name | upper | replace "-" "_" }}: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}
{{ end }}
{{- end }}

{{- /* Which targets are probed, for agents and endpoints. A Service of another name has other variables. */}}
{{- define "meshprobe.targetsEnv" -}}
- name: MESHPROBE_TARGETS
  value: {{ .Values.targets.builtIn | quote }}
- name: MESHPROBE_TARGETS_FILE
  value: /etc/meshprobe/targets/targets.json
{{- $name := include "meshprobe.name" . }}
{{- if and .Values.endpoint.enabled (ne $name "meshprobe") }}
- name: MESHPROBE_SERVICE_HOST
  value: "$({{ $name | upper | replace "-" "_" }}_SERVICE_HOST)"
- name: MESHPROBE_SERVICE_PORT
  value: "$({{ $name | upper | replace "-" "_" }}_SERVICE_PORT)"
{{- end }}
{{- end }}

{{- /* The settings of targets, for the endpoints, which do not take the agents' other ones. */}}
{{- define "meshprobe.targetSettingsEnv" -}}
{{- range $name := list "target-budget" "cluster-dns" "cluster-domain" }}
{{- if hasKey $.Values.settings $name }}
{{- $value := get $.Values.settings $name }}
- name: MESHPROBE_{{ $name | upper | replace "-" "_" }}
  value: {{ kindIs "slice" $value | ternary (join "," $value) (kindIs "string" $value | ternary $value (toJson $value)) | quote }}
{{- end }}
{{- end }}
{{- end }}
