// Every screen of the Workspace and of settings, and those before the log-in. Empty, missing and refused ones:
// screens_states.test.ts.
// test: programs
import { testScreens } from './screen_checks.ts'

testScreens('every screen of the Workspace', 'workspace')
