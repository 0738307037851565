{{- /* Where a monitor looks that is in a namespace of its own: (list $ NAMESPACE). */}}
{{- define "meshprobe.monitored" -}}
{{- $ours := include "meshprobe.namespace" (index . 0) }}
{{- if ne $ours (index . 1 | default $ours) -}}
namespaceSelector:
  matchNames: [{{ $ours | quote }}]
{{- end }}
{{- end }}

{{- define "meshprobe.scrape" -}}
interval: {{ .interval | quote }}
{{- with .scrapeTimeout }}
scrapeTimeout: {{ . | quote }}
{{- end }}
# An instance is called as its node, so that it keeps its series when its pod is replaced.
relabelings:
  - sourceLabels: [__meta_kubernetes_pod_node_name]
    targetLabel: instance
  {{- with .relabelings }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
