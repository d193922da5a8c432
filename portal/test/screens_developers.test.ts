// Every screen of the developers' side that has an address without an id.
// test: programs
import { testScreens } from './screen_checks.ts'

testScreens('every screen of Developers', 'developers')
