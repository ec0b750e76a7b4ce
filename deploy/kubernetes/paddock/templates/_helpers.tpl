{{/* The contexts that are enabled, as {"contexts": […]}. */}}
{{- define "paddock.contexts" -}}
{{- $all := (.Files.Get "contexts.yaml" | fromYaml).contexts -}}
{{- $names := list -}}
{{- $enabled := list -}}
{{- range $all -}}
  {{- $names = append $names .name -}}
  {{- $own := get $.Values.contexts .name | default dict -}}
  {{- if dig "enabled" true $own -}}{{- $enabled = append $enabled . -}}{{- end -}}
{{- end -}}
{{- range $name, $_ := .Values.contexts -}}
  {{- if not (has $name $names) -}}{{- fail (printf "contexts.%s: not a context; there are %s" $name (join ", " $names)) -}}{{- end -}}
{{- end -}}
{{- dict "contexts" $enabled | toYaml -}}
{{- end -}}

{{- define "paddock.selector" -}}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/name: {{ .name }}
{{- end -}}

{{- define "paddock.labels" -}}
{{ include "paddock.selector" . }}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/part-of: paddock
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{- define "paddock.image" -}}
image: {{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end -}}

{{/* Pod Security Standards: restricted. 1000 is the user `node` of the image. */}}
{{- define "paddock.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "paddock.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* An entry of `env` from the existing Secret. */}}
{{- define "paddock.secret" -}}
- name: {{ .setting }}
  valueFrom:
    secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: {{ .key }}{{ if .optional }}, optional: true{{ end }} }
{{- end -}}

{{- define "paddock.probes" -}}
startupProbe:
  httpGet: { path: {{ .path }}/liveness, port: {{ .port }} }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 45
livenessProbe:
  httpGet: { path: {{ .path }}/liveness, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: { path: {{ .path }}/readiness, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}
