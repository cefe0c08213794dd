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

{{/* The most memory that the program needs, in bytes: the formula of docs/deployment.md, which the program logs. */}}
{{- define "overfold.memoryNeed" -}}
{{- $set := .Values.settings -}}
{{- $memory := int64 $set.maxMemoryBytes -}}
{{- $place := add $memory (mul (div $memory 4) 3) (mul 32 1048576) -}}
{{- $work := mul (add (int64 $set.concurrency) 1) $place -}}
{{- $connections := mul (int64 $set.maxConnections) (mul 256 1024) -}}
{{- add (mul 48 1048576) $work (int64 $set.maxBodiesBytes) (int64 $set.maxAnswersBytes) $connections (int64 ($set.cacheBytes | default 0)) -}}
{{- end -}}

{{/* That and the reserve, in whole MiB. */}}
{{- define "overfold.memoryLimit" -}}
{{- $need := include "overfold.memoryNeed" . | int64 -}}
{{- printf "%dMi" (add (div (add $need 1048575) 1048576) (int64 .Values.resources.memoryReserveMiB)) -}}
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
{{- if and .Values.cache.redisSecret .Values.settings.cacheBytes -}}
{{- fail "settings.cacheBytes and cache.redisSecret exclude each other" -}}
{{- end -}}
{{- if and $ca (not .Values.tls.secret) -}}
{{- fail "tls.clientCa needs tls.secret" -}}
{{- end -}}
{{- end -}}
