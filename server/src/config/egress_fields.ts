// The settings of where the server may go on behalf of organizations. Part of the schema in config_schema.ts.
import { Type } from 'typebox'

export const egressFields = {
  egressAllow: Type.Array(Type.String({ format: 'cidr' }), {
    variable: 'TANDEM_EGRESS_ALLOW',
    default: [],
    description: 'Private address ranges that callbacks and webhooks may reach all the same, separated by commas.',
  }),
  egressHosts: Type.Array(Type.String({ format: 'egress_host' }), {
    variable: 'TANDEM_EGRESS_HOSTS',
    default: [],
    description:
      'The only hosts that what organizations set up may lead to (webhooks, callbacks, identity providers, mail servers, carriers, trunks), separated by commas: names, addresses, and `*.example.com` for all names below one. None: every public one.',
  }),
  egressHttp: Type.Boolean({
    variable: 'TANDEM_EGRESS_HTTP',
    default: false,
    description: '`1` lets callbacks and webhooks of the live mode use plain `http` too.',
  }),
}
