// The settings of tracing, by the names that OpenTelemetry gives them. Part of the schema in config_schema.ts.
import { Type } from 'typebox'

export const tracingFields = {
  otelEndpoint: Type.Optional(
    Type.String({
      variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      shown: 'no tracing',
      format: 'http_url',
      description:
        'Collector of OpenTelemetry to which traces are sent by OTLP over HTTP (`/v1/traces` is added): `http://127.0.0.1:4318`. Without it nothing of OpenTelemetry is loaded.',
    }),
  ),
  otelHeaders: Type.Optional(
    Type.String({
      variable: 'OTEL_EXPORTER_OTLP_HEADERS',
      secret: true,
      format: 'otlp_headers',
      description: 'Headers sent to the collector, such as its key: `name=value`, separated by commas.',
    }),
  ),
  otelServiceName: Type.String({
    variable: 'OTEL_SERVICE_NAME',
    default: 'tandem',
    maxLength: 100,
    description: 'Name of this server in traces.',
  }),
  otelSampler: Type.Enum(
    [
      'parentbased_traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'traceidratio',
      'always_on',
      'always_off',
    ],
    {
      variable: 'OTEL_TRACES_SAMPLER',
      default: 'parentbased_traceidratio',
      description:
        'Which traces are recorded. `parentbased_` follows the decision that came with a request (`traceparent`), and decides by the rest of the name where none came.',
    },
  ),
  otelSamplerArg: Type.String({
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    default: '0.05',
    format: 'share',
    description: 'Share of traces that `traceidratio` records, 0 to 1.',
  }),
}
