{{/*
The pod of the service or of a worker: the same but for the command and the queue. `command` is that of the program, `own`
holds the values of where the pod runs, `settings` and `resources` are what it gets, and `selector` are its labels.
*/}}
{{- define "overfold.pod" -}}
{{- $root := .root }}
{{- $tokens := include "overfold.tokensSecret" $root }}
{{- $jwks := include "overfold.jwksSecret" $root }}
{{- $schemas := $root.Values.schemas }}
{{- $limit := include "overfold.memoryLimit" (dict "settings" .settings "resources" .resources "schemas" $schemas) }}
{{- $redisCa := and $root.Values.cache.redisSecret $root.Values.cache.ca.secret -}}
{{- $nats := ternary $root.Values.worker.nats dict (eq .command "worker") -}}
# The program never talks to Kubernetes.
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
terminationGracePeriodSeconds: {{ add (int64 .settings.drainSeconds) (int64 .settings.graceSeconds) 5 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  # The mounted files belong to this group, which alone may read them.
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
containers:
  - name: overfold
    image: {{ include "overfold.image" $root | quote }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args: [{{ .command | quote }}]
    env:
      - name: OVERFOLD_LISTEN
        value: {{ ternary (printf "[%s]:8080" $root.Values.listenAddress) (printf "%s:8080" $root.Values.listenAddress) (contains ":" $root.Values.listenAddress) | quote }}
      {{- range $name, $value := .settings }}
      - name: OVERFOLD_{{ $name | snakecase | upper }}
        value: {{ ternary $value (toString (int64 $value)) (kindIs "string" $value) | quote }}
      {{- end }}
      {{- with $root.Values.access.allowedHosts }}
      - name: OVERFOLD_ALLOWED_HOST
        value: {{ join "," . | quote }}
      {{- end }}
      {{- if $root.Values.access.anonymous }}
      - name: OVERFOLD_ALLOW_ANONYMOUS
        value: "true"
      {{- end }}
      {{- if $tokens }}
      - name: OVERFOLD_TOKEN_FILE
        value: /etc/overfold/tokens/overfold.tokens
      {{- end }}
      {{- if $jwks }}
      - name: OVERFOLD_JWKS
        value: /etc/overfold/jwks/jwks.json
      - name: OVERFOLD_JWT_ISSUER
        value: {{ $root.Values.access.jwks.issuer | quote }}
      - name: OVERFOLD_JWT_AUDIENCE
        value: {{ $root.Values.access.jwks.audience | quote }}
      {{- end }}
      {{- if $root.Values.tls.secret }}
      - name: OVERFOLD_TLS_CERTIFICATE
        value: /etc/overfold/tls/tls.crt
      - name: OVERFOLD_TLS_KEY
        value: /etc/overfold/tls/tls.key
      {{- end }}
      {{- if $root.Values.tls.clientCa.secret }}
      - name: OVERFOLD_CLIENT_CA
        value: /etc/overfold/client-ca/ca.crt
      {{- end }}
      {{- with $nats }}
      - name: OVERFOLD_NATS
        valueFrom:
          secretKeyRef:
            name: {{ .secret }}
            key: {{ .key }}
      - name: OVERFOLD_NATS_QUEUE
        value: {{ .queue | quote }}
      {{- range $name := list "keepDays" "replicas" "deliveries" "ackSeconds" }}
      - name: OVERFOLD_NATS_{{ $name | snakecase | upper }}
        value: {{ index $nats $name | int64 | toString | quote }}
      {{- end }}
      {{- if .ca.secret }}
      - name: OVERFOLD_NATS_CA
        value: /etc/overfold/nats-ca/ca.crt
      {{- end }}
      {{- if .certificate.secret }}
      - name: OVERFOLD_NATS_CERTIFICATE
        value: /etc/overfold/nats/tls.crt
      - name: OVERFOLD_NATS_KEY
        value: /etc/overfold/nats/tls.key
      {{- end }}
      {{- end }}
      {{- with $root.Values.cache }}
      {{- if .redisSecret }}
      - name: OVERFOLD_CACHE_REDIS
        valueFrom:
          secretKeyRef:
            name: {{ .redisSecret }}
            key: {{ .key }}
      {{- if .ca.secret }}
      - name: OVERFOLD_CACHE_REDIS_CA
        value: /etc/overfold/redis-ca/ca.crt
      {{- end }}
      {{- end }}
      {{- end }}
      {{- if or $schemas.inImage $schemas.volume }}
      - name: OVERFOLD_PROVIDER_SCHEMAS
        value: /schemas
      {{- end }}
      {{- with $root.Values.traces }}
      {{- if .endpoint }}
      - name: OVERFOLD_OTLP_ENDPOINT
        value: {{ .endpoint | quote }}
      - name: OVERFOLD_OTLP_RATIO
        value: {{ .ratio | quote }}
      - name: OVERFOLD_OTLP_SERVICE_NAME
        value: {{ .serviceName | quote }}
      {{- end }}
      {{- end }}
    ports:
      - name: {{ include "overfold.scheme" $root }}
        containerPort: 8080
        protocol: TCP
    # Starting takes well under a second; a new pod gets ten.
    startupProbe:
      {{- include "overfold.probe" (dict "root" $root "path" "/livez") | nindent 6 }}
      periodSeconds: 1
      timeoutSeconds: 3
      failureThreshold: 10
    livenessProbe:
      {{- include "overfold.probe" (dict "root" $root "path" "/livez") | nindent 6 }}
      periodSeconds: 10
      timeoutSeconds: 3
      failureThreshold: 3
    # Fails while even small requests are turned away, and as soon as the pod is told to stop.
    readinessProbe:
      {{- include "overfold.probe" (dict "root" $root "path" "/readyz") | nindent 6 }}
      periodSeconds: 2
      timeoutSeconds: 3
      failureThreshold: 2
    resources:
      requests:
        cpu: {{ .resources.cpuRequest | quote }}
        memory: {{ .resources.memoryRequest | default $limit | quote }}
      limits:
        {{- with .resources.cpuLimit }}
        cpu: {{ . | quote }}
        {{- end }}
        memory: {{ $limit | quote }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: ["ALL"]
    {{- if or $tokens $jwks $root.Values.tls.secret $schemas.volume $redisCa (dig "ca" "secret" "" $nats) (dig "certificate" "secret" "" $nats) }}
    # Whole folders, because a file that is mounted alone never changes.
    volumeMounts:
      {{- if $tokens }}
      - name: tokens
        mountPath: /etc/overfold/tokens
        readOnly: true
      {{- end }}
      {{- if $jwks }}
      - name: jwks
        mountPath: /etc/overfold/jwks
        readOnly: true
      {{- end }}
      {{- if $root.Values.tls.secret }}
      - name: tls
        mountPath: /etc/overfold/tls
        readOnly: true
      {{- end }}
      {{- if $root.Values.tls.clientCa.secret }}
      - name: client-ca
        mountPath: /etc/overfold/client-ca
        readOnly: true
      {{- end }}
      {{- if $schemas.volume }}
      - name: schemas
        mountPath: /schemas
        readOnly: true
      {{- end }}
      {{- if $redisCa }}
      - name: redis-ca
        mountPath: /etc/overfold/redis-ca
        readOnly: true
      {{- end }}
      {{- with $nats }}
      {{- if .ca.secret }}
      - name: nats-ca
        mountPath: /etc/overfold/nats-ca
        readOnly: true
      {{- end }}
      {{- if .certificate.secret }}
      - name: nats
        mountPath: /etc/overfold/nats
        readOnly: true
      {{- end }}
      {{- end }}
    {{- end }}
{{- if or $tokens $jwks $root.Values.tls.secret $schemas.volume $redisCa (dig "ca" "secret" "" $nats) (dig "certificate" "secret" "" $nats) }}
volumes:
  {{- if $tokens }}
  - name: tokens
    secret:
      secretName: {{ $tokens }}
      defaultMode: 0440
      items:
        - key: {{ ternary "overfold.tokens" $root.Values.access.tokens.key (ne $root.Values.access.tokens.inline "") }}
          path: overfold.tokens
  {{- end }}
  {{- if $jwks }}
  - name: jwks
    secret:
      secretName: {{ $jwks }}
      defaultMode: 0440
      items:
        - key: {{ ternary "jwks.json" $root.Values.access.jwks.key (ne $root.Values.access.jwks.inline "") }}
          path: jwks.json
  {{- end }}
  {{- with $root.Values.tls.secret }}
  - name: tls
    secret:
      secretName: {{ . }}
      defaultMode: 0440
  {{- end }}
  {{- with $root.Values.tls.clientCa }}
  {{- if .secret }}
  - name: client-ca
    secret:
      secretName: {{ .secret }}
      defaultMode: 0440
      items:
        - key: {{ .key }}
          path: ca.crt
  {{- end }}
  {{- end }}
  {{- with $schemas.volume }}
  - name: schemas
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if $redisCa }}
  - name: redis-ca
    secret:
      secretName: {{ $redisCa }}
      defaultMode: 0440
      items:
        - key: {{ $root.Values.cache.ca.key }}
          path: ca.crt
  {{- end }}
  {{- with $nats }}
  {{- if .ca.secret }}
  - name: nats-ca
    secret:
      secretName: {{ .ca.secret }}
      defaultMode: 0440
      items:
        - key: {{ .ca.key }}
          path: ca.crt
  {{- end }}
  {{- if .certificate.secret }}
  - name: nats
    secret:
      secretName: {{ .certificate.secret }}
      defaultMode: 0440
  {{- end }}
  {{- end }}
{{- end }}
topologySpreadConstraints:
  {{- if .own.topologySpreadConstraints }}
  {{- toYaml .own.topologySpreadConstraints | nindent 2 }}
  {{- else }}
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- $.selector | nindent 8 }}
    # The pods that an update replaces do not count.
    matchLabelKeys: ["pod-template-hash"]
  {{- end }}
  {{- end }}
{{- with .own.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .own.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .own.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .own.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}
