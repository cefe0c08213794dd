{{- define "overfold.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "overfold.selector" -}}
app.kubernetes.io/name: overfold
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "overfold.labels" -}}
{{ include "overfold.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "overfold.image" -}}
{{- $tag := .Values.image.tag | default .Chart.AppVersion -}}
{{- with .Values.image.digest -}}
{{- printf "%s:%s@%s" $.Values.image.repository $tag . -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository $tag -}}
{{- end -}}
{{- end -}}

{{/* The labels of workers. They have another name, because the selectors of the service must not select them. */}}
{{- define "overfold.workerSelector" -}}
app.kubernetes.io/name: overfold-worker
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: worker
{{- end -}}

{{- define "overfold.workerLabels" -}}
{{ omit (include "overfold.labels" . | fromYaml) "app.kubernetes.io/name" "app.kubernetes.io/instance" | toYaml }}
{{ include "overfold.workerSelector" . }}
{{- end -}}

{{/* Of a list of two dictionaries, the first with what the second has instead, as JSON. `merge` takes 0 and "" for nothing. */}}
{{- define "overfold.with" -}}
{{- $result := deepCopy (first .) -}}
{{- range $name, $value := last . -}}
{{- $_ := set $result $name $value -}}
{{- end -}}
{{- toJson $result -}}
{{- end -}}

{{/* The most memory that the program needs with some settings, in bytes: the formula of docs/deployment.md, which it logs. */}}
{{- define "overfold.memoryNeed" -}}
{{- $memory := int64 .maxMemoryBytes -}}
{{- $place := add $memory (mul (div $memory 4) 3) (mul 32 1048576) -}}
{{- $work := mul (add (int64 .concurrency) 1) $place -}}
{{- $connections := mul (int64 .maxConnections) (mul 256 1024) -}}
{{- add (mul 48 1048576) $work (int64 .maxBodiesBytes) (int64 .maxAnswersBytes) $connections (int64 (.cacheBytes | default 0)) -}}
{{- end -}}

{{/* That and the reserve, in whole MiB: of `settings`, `resources` and `schemas`. */}}
{{- define "overfold.memoryLimit" -}}
{{- $need := include "overfold.memoryNeed" .settings | int64 -}}
{{- if or .schemas.inImage .schemas.volume -}}
{{- $need = add $need (mul 192 1048576) -}}
{{- end -}}
{{- printf "%dMi" (add (div (add $need 1048575) 1048576) (int64 .resources.memoryReserveMiB)) -}}
{{- end -}}

{{/* The Secrets of tokens and keys: "" for none. */}}
{{- define "overfold.tokensSecret" -}}
{{- with .Values.access.tokens -}}
{{- if .inline -}}{{ include "overfold.name" $ }}-access{{- else -}}{{ .existingSecret }}{{- end -}}
{{- end -}}
{{- end -}}
{{- define "overfold.jwksSecret" -}}
{{- with .Values.access.jwks -}}
{{- if .inline -}}{{ include "overfold.name" $ }}-access{{- else -}}{{ .existingSecret }}{{- end -}}
{{- end -}}
{{- end -}}

{{- define "overfold.scheme" -}}
{{- if .Values.tls.secret -}}https{{- else -}}http{{- end -}}
{{- end -}}

{{/* The port of an http:// URL. */}}
{{- define "overfold.port" -}}
{{- regexFind ":[0-9]+$" (urlParse .).host | trimPrefix ":" | default "80" -}}
{{- end -}}

{{/* How the Prometheus operator reads the metrics of a pod. */}}
{{- define "overfold.endpoint" -}}
- port: {{ include "overfold.scheme" . }}
  scheme: {{ include "overfold.scheme" . }}
  path: /metrics
  interval: {{ .Values.serviceMonitor.interval }}
  {{- with .Values.serviceMonitor.tokenSecret }}
  authorization:
    type: Bearer
    credentials:
      name: {{ . }}
      key: {{ $.Values.serviceMonitor.tokenKey }}
  {{- end }}
  {{- with .Values.serviceMonitor.tlsConfig }}
  tlsConfig: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* What may leave in a network policy: to a `port` of the peers `to`. */}}
{{- define "overfold.peers" -}}
- ports:
    - port: {{ .port }}
      protocol: TCP
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* The same for every server that a pod may be told to connect to, and for name servers. */}}
{{- define "overfold.egress" -}}
{{- if .Values.cache.redisSecret }}
{{ include "overfold.peers" .Values.cache }}
{{- end }}
{{- with .Values.traces }}
{{- if .endpoint }}
{{ include "overfold.peers" (dict "port" (include "overfold.port" .endpoint) "to" .to) }}
{{- end }}
{{- end }}
# Their names have to be resolved.
- ports:
    - port: 53
      protocol: UDP
    - port: 53
      protocol: TCP
{{- end -}}

{{/* A probe of one path. It needs no token and no client certificate. */}}
{{- define "overfold.probe" -}}
httpGet:
  path: {{ .path }}
  port: {{ include "overfold.scheme" .root }}
  scheme: {{ include "overfold.scheme" .root | upper }}
{{- end -}}

{{/* Values that contradict each other, in words. */}}
{{- define "overfold.check" -}}
{{- $tokens := include "overfold.tokensSecret" . -}}
{{- $jwks := include "overfold.jwksSecret" . -}}
{{- $ca := .Values.tls.clientCa.secret -}}
{{- if and .Values.access.anonymous (or $tokens $jwks $ca) -}}
{{- fail "access.anonymous excludes tokens, JWKS and client certificates: set access.tokens.existingSecret to \"\"" -}}
{{- end -}}
{{- if not (or .Values.access.anonymous $tokens $jwks $ca) -}}
{{- fail "who may call? Set access.tokens, access.jwks, tls.clientCa, or access.anonymous" -}}
{{- end -}}
{{- if and $jwks (not (and .Values.access.jwks.issuer .Values.access.jwks.audience)) -}}
{{- fail "access.jwks needs issuer and audience" -}}
{{- end -}}
{{- if and .Values.cache.redisSecret (or .Values.settings.cacheBytes (and .Values.worker.enabled .Values.worker.settings.cacheBytes)) -}}
{{- fail "settings.cacheBytes and cache.redisSecret exclude each other" -}}
{{- end -}}
{{- if and $ca (not .Values.tls.secret) -}}
{{- fail "tls.clientCa needs tls.secret" -}}
{{- end -}}
{{- if and .Values.worker.enabled (not .Values.worker.nats.secret) -}}
{{- fail "worker.nats.secret: workers need a Secret with the URL of the NATS server" -}}
{{- end -}}
{{- with .Values.worker.keda -}}
{{- if and .enabled (lt (int64 .maxReplicas) (int64 .minReplicas)) -}}
{{- fail "worker.keda.maxReplicas is less than worker.keda.minReplicas" -}}
{{- end -}}
{{- end -}}
{{- end -}}
