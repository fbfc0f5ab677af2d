/**
 * Whether two neighbouring logs differ in their unit's slots and in no other, on the whole way from
 * bytes to slots; start with {@link dev.sotto.evaluation.audit.neighbour.NeighbourAudit}.
 */
package dev.sotto.evaluation.audit.neighbour;
