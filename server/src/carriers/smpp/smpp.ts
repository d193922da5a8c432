// Carriers reached by SMPP 3.4, as a kind that organizations set up for themselves.
import type { CarrierKind, Settings } from '../../modules/messaging/carriers/index.ts'
import { openSmppCarrier } from './carrier.ts'
import { SmppSettings, smppFaults } from './settings.ts'
import { testBind } from './test_bind.ts'

// Settings arrive checked by their schema and complete.
const checked = (settings: Settings) => settings as SmppSettings

export const smppCarriers: CarrierKind = {
  name: 'smpp',
  title: 'SMPP 3.4',
  description: 'A carrier or message centre that takes text messages by SMPP 3.4, with one or more links.',
  settings: SmppSettings,
  secretsFor: ['host'],
  sample: {
    host: 'smpp.example.com',
    port: 2775,
    systemId: 'example',
    password: 'example1',
    segmentsPerSecond: 30,
  },
  faultsOf: settings => smppFaults(checked(settings)),
  open: (settings, surroundings) => openSmppCarrier(checked(settings), surroundings),
  test: (settings, { allow }) => testBind(checked(settings), allow),
}
