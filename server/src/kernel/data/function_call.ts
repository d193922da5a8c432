// The statement that calls a function of the database. Hot writes are functions with one array a column.

/** `select * from name($1, …, $n)`; a function that returns one value gives it as a column of the function's name. */
export function functionCall(name: string, parameters: number): string {
  return `select * from ${name}(${Array.from({ length: parameters }, (_, index) => `$${index + 1}`).join(', ')})`
}
