// Refusing passwords that are guessed first, in one sentence, wherever one is chosen.
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import type { KnownPasswords } from './known_passwords.ts'
import { ownPasswordMinLength, passwordMinLength, passwordWeakness } from './password_rules.ts'

export type PasswordOwner = { email: string; names?: readonly string[] }

type Means = { knownPasswords: KnownPasswords }

/** @throws Problem `weak_password` */
export async function refuseWeak(
  { knownPasswords }: Means,
  password: string,
  { email, names = [] }: PasswordOwner,
  field = 'password',
): Promise<void> {
  const weakness = passwordWeakness(password, email, names)
  if (weakness !== undefined) throw weak(field, 'weak', weakness)
  if (await knownPasswords.has(password)) throw weak(field, 'known', 'is in a list of passwords that became known')
}

function weak(field: string, code: 'weak' | 'known', weakness: string): Problem {
  const message = `The password ${weakness}. Choose another of at least ${passwordMinLength} characters.`
  return new Problem('weak_password', { message, details: [{ field, code, message: weakness }] })
}

/**
 * The same for what people choose for themselves, which is longer where no second factor stands beside it.
 * @throws Problem `validation_failed` or `weak_password`
 */
export async function refuseWeakOwn(
  means: Means,
  password: string,
  owner: PasswordOwner & { hasSecondFactor: boolean; asked?: number },
  field: string,
): Promise<void> {
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
  await refuseWeak(means, password, owner, field)
}
