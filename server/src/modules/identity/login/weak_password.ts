// Refusing passwords that are guessed first, in one sentence, wherever one is chosen.
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { ownPasswordMinLength, passwordMinLength, passwordWeakness } from './password_rules.ts'

export type PasswordOwner = { email: string; names?: readonly string[] }

/** @throws Problem `weak_password` */
export function refuseWeak(password: string, { email, names = [] }: PasswordOwner, field = 'password'): void {
  const weakness = passwordWeakness(password, email, names)
  if (weakness === undefined) return
  const message = `The password ${weakness}. Choose another of at least ${passwordMinLength} characters.`
  throw new Problem('weak_password', { message, details: [{ field, code: 'weak', message: weakness }] })
}

/**
 * The same for what people choose for themselves, which is longer where no second factor stands beside it.
 * @throws Problem `validation_failed` or `weak_password`
 */
export function refuseWeakOwn(
  password: string,
  owner: PasswordOwner & { hasSecondFactor: boolean; asked?: number },
  field: string,
): void {
  const least = ownPasswordMinLength(owner.hasSecondFactor, owner.asked)
  if (Array.from(password).length < least) {
    const why =
      owner.asked === least
        ? ', as your organization asks'
        : owner.hasSecondFactor
          ? ''
          : ', for nothing else protects the account; ten will do once it has a second factor'
    throw invalid({ field, code: 'too_short', message: `must have at least ${least} characters${why}` })
  }
  refuseWeak(password, owner, field)
}
