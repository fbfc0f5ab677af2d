/** Tables of results, for people and for files. */
package dev.sotto.benchmarks.table;
