/** RocksDB as Streams opens it for us: its memory, its files, and how pages are read; start with
 * {@link dev.sotto.topology.rocksdb.BoundedRocksDbConfig}. */
package dev.sotto.topology.rocksdb;
