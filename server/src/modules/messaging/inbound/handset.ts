// What live mode lets come in without a telephone: what a virtual handset sends. For any other number nothing may be reported
// that its telephone did not do.
import { isSimulatorNumber } from '../../../kernel/values/phone.ts'
import { Problem } from '../../../kernel/values/problem.ts'

/** @throws Problem where a text or call is injected in live mode from a number that may be somebody's telephone */
export function assertInjectable(mode: 'live' | 'test', from: string): void {
  if (mode === 'test' || isSimulatorNumber(from)) return
  throw new Problem('invalid_from_number', {
    message:
      'In live mode only numbers of the simulator can be made to text or call. Use one as from (+1 500 555 and four digits), or the test mode.',
    details: [
      {
        field: 'from',
        code: 'not_allowed',
        message: 'must be a number of the simulator in live mode: +1500555 and four digits',
      },
    ],
  })
}
