// Who may give a role. It is asked where no texts of roles are.

/** Whether who holds this may make, change or give a role that holds that. */
export function mayGive({ permissions }: { permissions: readonly string[] }, held: ReadonlySet<string>): boolean {
  return permissions.every(permission => held.has(permission))
}
