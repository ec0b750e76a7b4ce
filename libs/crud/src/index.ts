export type { CrudRoutesDeclaration, CrudSetup, WriteRequest } from './crud-declaration.ts';
export { crudRoutesWith } from './crud-routes.ts';
export { type CrudTable, type CrudTableDeclaration, crudTablesWith, type Identified } from './crud-table.ts';
