export const notEmpty = () => new Error("The database holds accounts already: with --replace, the backup takes their place, and they are gone.");
