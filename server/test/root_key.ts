// The root key of tests: one for all of them, given as an operator would give it.
import { rootKeySource } from '../src/kernel/boot/root_key.ts'

export const testRootKey = Buffer.alloc(32, 'root key of tests ').toString('base64')

export const testRootSource = rootKeySource({ dataDir: '/nowhere', rootKey: testRootKey })
