// Every page of one record, of both sides.
// test: programs
import { testScreens } from './screen_checks.ts'

testScreens('every page of a record', 'record')
