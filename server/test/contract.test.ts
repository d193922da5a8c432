// The contract of the endpoints of v1; contract_suite.ts says what that is.
import { testContracts } from './contract_suite.ts'

testContracts(({ version }) => version === 'v1')
