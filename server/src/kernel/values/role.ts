// The roles that people have. What each may do is declared by the nouns of the product (noun.ts).

export const roles = ['Admin', 'Sales Manager', 'Sales Executive', 'Finance Manager'] as const
export type Role = (typeof roles)[number]

/** All roles that hold only what is declared for them; an Admin holds everything. */
export const everyone = ['Sales Manager', 'Sales Executive', 'Finance Manager'] as const satisfies readonly Role[]
