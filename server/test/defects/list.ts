// Every defect that `npm run defects` plants, and the tests that have to notice. Anyone who changes a place that stands here brings it up
// to date: `defects.test.ts` says which.
import { accessDefects } from './access_defects.ts'
import type { Defect } from './defect.ts'
import { mailDefects } from './mail_defects.ts'
import { messagingDefects } from './messaging_defects.ts'
import { oauthDefects } from './oauth_defects.ts'
import { organizationDefects } from './organization_defects.ts'
import { peopleDefects } from './people_defects.ts'
import { portalDefects } from './portal_defects.ts'
import { recordDefects } from './record_defects.ts'
import { ssoDefects } from './sso_defects.ts'
import { voiceDefects } from './voice_defects.ts'

export const defects: readonly Defect[] = [
  ...accessDefects,
  ...oauthDefects,
  ...peopleDefects,
  ...organizationDefects,
  ...ssoDefects,
  ...recordDefects,
  ...messagingDefects,
  ...mailDefects,
  ...voiceDefects,
  ...portalDefects,
]
