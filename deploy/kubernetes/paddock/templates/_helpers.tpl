{{/* Helm takes null for "no value" and removes the default, which the schema doesn't see: a template would fail with its own error. */}}
{{- define "paddock.checkObjects" -}}
{{- range list "consul" "tls" "environment" "process" "gateway" "contexts" "migrations" "networkPolicy" "serviceMonitor" -}}
{{- if not (kindIs "map" (get $.Values .)) }}{{ fail (printf "%s: must be an object, not null; {} for none" .) }}{{ end -}}
{{- end -}}
{{- range $path := list "process.environment" "process.autoscaling" "process.resources" "gateway.service" -}}
{{- $names := splitList "." $path -}}
{{- if not (kindIs "map" (get (get $.Values (first $names)) (last $names))) }}{{ fail (printf "%s: must be an object, not null; {} for none" $path) }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* The contexts that are enabled, as {"contexts": […]}. */}}
{{- define "paddock.contexts" -}}
{{- include "paddock.checkObjects" . -}}
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
image: {{ .Values.image.repository }}{{ with .Values.image.digest }}@{{ . }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
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

{{/* The names in a list of entries of `env`, which may be empty. */}}
{{- define "paddock.names" -}}
{{- $names := list -}}
{{- range . | default "[]" | fromYamlArray }}{{ $names = append $names .name }}{{ end -}}
{{- toYaml $names -}}
{{- end -}}

{{/* Refuses values that the API server accepts although the process cannot work: name, own (its values), given (its environment), fixed
     (names of settings that the chart sets for it). */}}
{{- define "paddock.checkProcess" -}}
{{- /* Ports, probes, volumes and terminationGracePeriodSeconds follow these, and secrets would be readable in the Deployment. */ -}}
{{- $fixed := concat .fixed (list "ADVERTISE_ADDRESS" "CONSUL_HTTP_ADDR" "CONSUL_HTTP_TOKEN" "DISCOVERY" "DRAIN_MS" "LAST_KNOWN_DIR" "OTEL_EXPORTER_OTLP_HEADERS" "SHUTDOWN_TIMEOUT_MS" "TLS_CA" "TLS_CERT" "TLS_KEY") -}}
{{- range $setting, $_ := .given -}}
{{- if has $setting $fixed }}{{ fail (printf "environment.%s: set by the chart, from another value or the existing Secret" $setting) }}{{ end -}}
{{- end -}}
{{- $limits := (.own.resources).limits | default dict -}}
{{- $requests := (.own.resources).requests | default dict -}}
{{- /* Only the gateway has workers; services get the variable with `environment` and don't read it. */ -}}
{{- if and (eq .name "gateway") (eq (toString .given.WORKERS) "auto") (not $limits.cpu) -}}
{{- fail (printf "%s: WORKERS=auto needs resources.limits.cpu; otherwise each core of the node gets a worker" .name) -}}
{{- end -}}
{{- with .own.autoscaling }}{{ if .enabled -}}
{{- if gt (int .minReplicas) (int .maxReplicas) }}{{ fail (printf "%s: autoscaling.maxReplicas is less than minReplicas" $.name) }}{{ end -}}
{{- if not (or $requests.cpu $limits.cpu) }}{{ fail (printf "%s: autoscaling needs resources.requests.cpu" $.name) }}{{ end -}}
{{- end }}{{ end -}}
{{- end -}}

{{/* What a probe does. The kubelet has no client certificate for a port with TLS, so a program in the container makes the request. */}}
{{- define "paddock.probe" -}}
{{- if .tls -}}
exec: { command: [node, scripts/health-check.ts, 'https://127.0.0.1:{{ .number }}{{ .path }}'] }
{{- else -}}
httpGet: { path: {{ .path }}, port: {{ .port }} }
{{- end -}}
{{- end -}}

{{/* Probes: path, port (its name), number (of the port), tls. A program takes more time and memory than a request: it runs half as often. */}}
{{- define "paddock.probes" -}}
{{- $factor := ternary 2 1 .tls -}}
{{- $liveness := include "paddock.probe" (merge (dict "path" (print .path "/liveness")) .) -}}
startupProbe:
  {{ $liveness }}
  periodSeconds: {{ mul 2 $factor }}
  timeoutSeconds: {{ mul 3 $factor }}
  failureThreshold: 45
livenessProbe:
  {{ $liveness }}
  periodSeconds: {{ mul 10 $factor }}
  timeoutSeconds: {{ mul 5 $factor }}
  failureThreshold: 3
readinessProbe:
  {{ include "paddock.probe" (merge (dict "path" (print .path "/readiness")) .) }}
  periodSeconds: {{ mul 5 $factor }}
  timeoutSeconds: {{ mul 3 $factor }}
  failureThreshold: 2
{{- end -}}
