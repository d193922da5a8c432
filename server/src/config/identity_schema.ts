// The settings of who may come in: apps, clients, people. Part of the schema in config_schema.ts.
import { Type } from 'typebox'

export const identitySettings = {
  oauthRegistration: Type.Enum(['documents', 'open', 'off'], {
    variable: 'TANDEM_OAUTH_REGISTRATION',
    default: 'open',
    description:
      'Which OAuth clients that nobody registered may ask people: those that publish who they are (`documents`), also those that register themselves (`open`), or none (`off`).',
  }),
}
