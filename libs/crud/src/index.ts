export { crudRoutesWith } from './crud-routes.ts';
export { crudTablesWith } from './crud-table.ts';
