package dev.sotto.connectors.stream;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.source.SourceConnectorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the committed offsets until every line of every file is done, then requests new task
 * configurations. In Connect, a task cannot end other than by failing.
 */
final class EndOfFilesMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EndOfFilesMonitor.class);
  private static final long EVERY_MS = 1000;

  private final RecordedStreamConfig config;
  private final SourceConnectorContext context;
  private final Map<StreamFile, Long> ends = new LinkedHashMap<>();
  private final ScheduledExecutorService thread;
  private volatile boolean ended;

  EndOfFilesMonitor(RecordedStreamConfig config, SourceConnectorContext context) {
    this.config = config;
    this.context = context;
    this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
      Thread daemon = new Thread(task, "sotto-stream-end");
      daemon.setDaemon(true);
      return daemon;
    });
    thread.scheduleWithFixedDelay(this::look, EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
  }

  /** Whether everything has been played, as of the last look. */
  boolean ended() {
    return ended;
  }

  private void look() {
    try {
      if (ends.isEmpty()) {
        List<StreamFile> files = config.files().stream().map(StreamFile::of).toList();
        files.forEach(file -> ends.put(file, file.lines(config.maxLineBytes())));
      }
      boolean all =
          ends.entrySet().stream().allMatch(each -> done(each.getKey()) >= each.getValue());
      if (all && !ended) {
        LOG.info("All {} files have been played to their ends: the task may go", ends.size());
        ended = true;
        context.requestTaskReconfiguration();
      }
    } catch (RuntimeException e) {
      thread.shutdown();
      context.raiseError(e);
    }
  }

  private long done(StreamFile file) {
    return FilePosition.of(context.offsetStorageReader().offset(file.partition()))
        .line();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
