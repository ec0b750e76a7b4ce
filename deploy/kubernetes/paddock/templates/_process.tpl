{{/* Deployment, PodDisruptionBudget and HorizontalPodAutoscaler of the gateway or a service: root, name, component, settings, command,
     ports, env (a list), environment (fixed) and defaultEnvironment, probes (path and port). */}}
{{- define "paddock.process" -}}
{{- $own := mergeOverwrite (deepCopy .root.Values.process) (.settings | default dict) -}}
{{- $labels := include "paddock.labels" . -}}
{{- $selector := include "paddock.selector" . -}}
{{- $values := .root.Values -}}
{{- $given := mergeOverwrite (deepCopy $values.environment) $own.environment -}}
{{- include "paddock.checkProcess" (dict "name" .name "own" $own "given" $given "fixed" (concat (keys .environment) (include "paddock.names" .env | fromYamlArray))) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels: {{- $labels | nindent 4 }}
spec:
  {{- if not $own.autoscaling.enabled }}
  replicas: {{ $own.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- $selector | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  template:
    metadata:
      labels: {{- $labels | nindent 8 }}
      {{- with $own.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: paddock
      automountServiceAccountToken: {{ eq $values.discovery "kubernetes" }}
      # Variables of Services would look like misspelled settings.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ add (div (add $values.drainMs $values.shutdownTimeoutMs 999) 1000) 5 }}
      securityContext: {{- include "paddock.podSecurity" . | nindent 8 }}
      {{- with $values.image.pullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- $selector | nindent 14 }}
          matchLabelKeys: [pod-template-hash]
        {{- end }}
      {{- range $field := list "nodeSelector" "tolerations" "affinity" }}
      {{- with get $own $field }}
      {{ $field }}: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
      containers:
        - name: {{ .name }}
          {{- include "paddock.image" .root | nindent 10 }}
          {{- with .command }}
          command: {{ toJson . }}
          {{- end }}
          securityContext: {{- include "paddock.containerSecurity" . | nindent 12 }}
          ports:
            {{- range $name, $port := .ports }}
            - { name: {{ $name }}, containerPort: {{ $port }} }
            {{- end }}
          env:
            - name: ADVERTISE_ADDRESS
              valueFrom:
                fieldRef: { fieldPath: status.podIP }
            {{- .env | nindent 12 }}
            {{- include "paddock.secret" (dict "root" .root "setting" "OTEL_EXPORTER_OTLP_HEADERS" "key" "OTEL_EXPORTER_OTLP_HEADERS" "optional" true) | nindent 12 }}
            {{- $environment := dict "DISCOVERY" $values.discovery "DRAIN_MS" $values.drainMs "SHUTDOWN_TIMEOUT_MS" $values.shutdownTimeoutMs "LAST_KNOWN_DIR" "/var/lib/paddock" }}
            {{- if eq $values.discovery "consul" }}
            {{- $_ := set $environment "CONSUL_HTTP_ADDR" (required "discovery=consul needs consul.address" $values.consul.address) }}
            {{- include "paddock.secret" (dict "root" .root "setting" "CONSUL_HTTP_TOKEN" "key" "CONSUL_HTTP_TOKEN" "optional" true) | nindent 12 }}
            {{- end }}
            {{- if $values.tls.enabled }}
            {{- $_ := set $environment "TLS_CERT" "/etc/paddock/tls/tls.crt" }}
            {{- $_ := set $environment "TLS_KEY" "/etc/paddock/tls/tls.key" }}
            {{- $_ := set $environment "TLS_CA" "/etc/paddock/tls/ca.crt" }}
            {{- end }}
            {{- range $name, $value := mergeOverwrite $environment .environment (.defaultEnvironment | default dict) $given }}
            {{- /* Helm reads integers as floats, which toString prints as 3.6e+06 from a million on. */}}
            - { name: {{ $name }}, value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }} }
            {{- end }}
          {{- include "paddock.probes" (merge (dict "tls" $values.tls.enabled "number" (get .ports .probes.port)) .probes) | nindent 10 }}
          resources: {{- toYaml $own.resources | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            # The last known instances; kept when the container restarts, not when the pod is replaced.
            - { name: state, mountPath: /var/lib/paddock }
            {{- if $values.tls.enabled }}
            # The directory: a mount of single files is never replaced.
            - { name: tls, mountPath: /etc/paddock/tls, readOnly: true }
            {{- end }}
      volumes:
        - { name: tmp, emptyDir: {} }
        - { name: state, emptyDir: { sizeLimit: 16Mi } }
        {{- if $values.tls.enabled }}
        - { name: tls, secret: { secretName: {{ .name }}{{ $values.tls.secretSuffix }}, defaultMode: 0440 } }
        {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  labels: {{- $labels | nindent 4 }}
spec:
  maxUnavailable: 1
  # Pods that are not ready must not prevent the node from being drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- $selector | nindent 6 }}
{{- if $own.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .name }}
  labels: {{- $labels | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .name }} }
  minReplicas: {{ $own.autoscaling.minReplicas }}
  maxReplicas: {{ $own.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ $own.autoscaling.targetCPU }} }
{{- end }}
---
# Headless: pods are called directly, found through its EndpointSlices.
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  labels: {{- $labels | nindent 4 }}
spec:
  clusterIP: None
  selector: {{- $selector | nindent 4 }}
  ports:
    - { name: http, port: {{ get .ports .probes.port }}, targetPort: {{ .probes.port }} }
{{- end -}}
