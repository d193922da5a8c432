// The strength of passwords: what guessers try first is refused in every dress, and what they cannot know is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorMs } from '../../../../test/processor_time.ts'
import { commonWords } from './common_passwords.ts'
import { passwordWeakness } from './password_rules.ts'

const email = 'ada.lovelace@example.com'

test('the most used passwords are refused, however they are dressed', () => {
  const weak = [
    'password123',
    'Password123!',
    'P@ssw0rd2026',
    'passwordpassword',
    'Passw0rd!!',
    '1234567890',
    '0987654321',
    '123456789a',
    '12345678910',
    'qwertyuiop',
    'qwerty123456',
    'QWERTY12345!',
    'asdfghjkl1',
    '1qaz2wsx3edc',
    '1q2w3e4r5t',
    'qazwsxedcrfv',
    'zxcvbnm123',
    'iloveyou123',
    'welcome2026',
    'Welcome@2026',
    'changeme123',
    'letmein1234',
    'l3tm31n!!!!',
    'administrator',
    'admin12345',
    'Summer2026!',
    'aaaaaaaaaa',
    '1111111111',
    '1212121212',
    'abcabcabcabc',
    'abcdefghij',
    'football99',
    'trustno1trustno1',
    'monkeydragon',
    'superman2024',
    '          ',
    'liverpool1',
    'dragon1987!',
    'sunshine12',
    'hunter2hunter2',
    'q1w2e3r4t5y6',
    'Tandem2026!',
    '!@#$%^&*()',
  ]
  for (const password of weak) assert.ok(passwordWeakness(password, email), `${password} passed`)
})

test('passphrases, random characters and other scripts pass', () => {
  const strong = [
    'correct horse battery staple',
    'xK9#mPq2vL',
    'kvartal-obelisk-7',
    'AvTqk3nWz0Yd_r-P',
    'пароль-для-сервера',
    '私の猫は窓が好きです',
    'my password is quite a long one',
    'dolphin teaches algebra',
    'Wc7!fgtZ9q',
    '94817203651',
  ]
  for (const password of strong) assert.equal(passwordWeakness(password, email), undefined, password)
})

test('what stands before the @ must not be part of it, but short names do not matter', () => {
  assert.match(passwordWeakness('xK9-Ada.Lovelace-mPq', email) as string, /e-mail/)
  assert.match(passwordWeakness('zebra-team-orbit', 'team+crm@example.com') as string, /e-mail/)
  assert.equal(passwordWeakness('kvartal-obelisk-7', 'ob@example.com'), undefined)
})

test('a word of the list with up to four digits never passes', () => {
  assert.ok(commonWords.length >= 200)
  assert.equal(new Set(commonWords).size, commonWords.length)
  for (const word of commonWords) {
    assert.match(word, /^[a-z]{4,}$/)
    for (const dressed of [
      `${word}1234`,
      `${word.toUpperCase()}2025!`,
      `12345${word}`,
      word.repeat(3),
      `!!${word}7777`,
    ]) {
      assert.ok(passwordWeakness(dressed, email), `${dressed} passed`)
    }
  }
})

test('a long password is checked in a moment', () => {
  const texts = ['a'.repeat(128), 'ab'.repeat(64), '1a'.repeat(64), 'qwertz'.repeat(21), `${'.'.repeat(127)}x`]
  const costMs = processorMs(() => {
    for (const text of texts) passwordWeakness(text, email)
  })
  assert.ok(costMs < 200, `${costMs} ms`)
})
