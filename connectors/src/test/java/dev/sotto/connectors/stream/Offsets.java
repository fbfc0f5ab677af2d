package dev.sotto.connectors.stream;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.apache.kafka.connect.source.SourceConnectorContext;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** Stored source offsets, as a worker would keep them. */
final class Offsets implements OffsetStorageReader, SourceConnectorContext, SourceTaskContext {
  final Map<Map<String, ?>, Map<String, Object>> stored = new HashMap<>();
  final List<Exception> errors = new ArrayList<>();
  final CountDownLatch asked = new CountDownLatch(1);
  final Semaphore looks = new Semaphore(0);

  synchronized void store(SourceRecord record) {
    stored.put(record.sourcePartition(), new HashMap<>(record.sourceOffset()));
  }

  @Override
  public synchronized <T> Map<String, Object> offset(Map<String, T> partition) {
    looks.release();
    return stored.get(partition);
  }

  @Override
  public <T> Map<Map<String, T>, Map<String, Object>> offsets(
      Collection<Map<String, T>> partitions) {
    throw new UnsupportedOperationException("one at a time");
  }

  @Override
  public OffsetStorageReader offsetStorageReader() {
    return this;
  }

  @Override
  public Map<String, String> configs() {
    return Map.of();
  }

  @Override
  public void requestTaskReconfiguration() {
    asked.countDown();
  }

  @Override
  public void raiseError(Exception e) {
    errors.add(e);
  }

  @Override
  public org.apache.kafka.common.metrics.PluginMetrics pluginMetrics() {
    return null;
  }
}
