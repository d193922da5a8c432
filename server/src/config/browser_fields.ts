// What browsers are asked to keep to. Part of the schema in config_schema.ts.
import { Type } from 'typebox'

export const browserFields = {
  hstsSubdomains: Type.Boolean({
    variable: 'TANDEM_HSTS_SUBDOMAINS',
    default: true,
    description:
      '`0` asks browsers to come by https to the host of `TANDEM_PUBLIC_URL` alone, not to hosts below it; for where one of these has no TLS.',
  }),
}
