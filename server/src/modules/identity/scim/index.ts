// What the process uses of SCIM: how requests reach it.
export { registerScim } from './mount.ts'
