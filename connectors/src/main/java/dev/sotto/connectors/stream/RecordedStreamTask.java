package dev.sotto.connectors.stream;

import dev.sotto.connectors.BuildVersion;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plays the files one after another, each from where it was left. */
public final class RecordedStreamTask extends SourceTask {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedStreamTask.class);
  private static final long IDLE_MS = 500;

  private final Queue<StreamFile> waiting = new ArrayDeque<>();
  private RecordedStreamConfig config;
  private LineFields fields;
  private SteadyRate rate;
  private StreamFile file;
  private StreamLineReader lines;
  private ConnectException failure;
  private boolean stopped;

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public synchronized void start(Map<String, String> properties) {
    config = RecordedStreamConfig.of(properties);
    fields = new LineFields(config.keyField(), config.timestampField());
    rate = new SteadyRate(config.linesPerSecond(), System.nanoTime());
    Set<String> identities = new HashSet<>();
    config.files().stream().map(StreamFile::of).forEach(each -> {
      if (!identities.add(each.identity())) {
        throw new ConnectException(RecordedStreamConfig.FILES
            + " must differ in name, size or content, but two of them are " + each.identity());
      }
      waiting.add(each);
    });
  }

  @Override
  public synchronized List<SourceRecord> poll() throws InterruptedException {
    if (failure != null) {
      throw failure;
    }
    int due = stopped ? 0 : rate.due(config.batchLines(), System.nanoTime());
    List<SourceRecord> batch = new ArrayList<>(due);
    try {
      while (batch.size() < due && advance(batch)) {
        // one more
      }
    } catch (ConnectException e) {
      if (batch.isEmpty()) {
        throw e;
      }
      failure = e; // first hand over what came before
    }
    rate.took(batch.size());
    if (!batch.isEmpty()) {
      return batch;
    }
    if (!stopped) {
      wait(lines == null && waiting.isEmpty() ? IDLE_MS : rate.pauseMs(IDLE_MS));
    }
    return null; // which Connect takes for "nothing yet"
  }

  /** Adds the next line, of this file or of a later one; false after the last. */
  private boolean advance(List<SourceRecord> batch) {
    while (lines != null || !waiting.isEmpty()) {
      if (lines == null) {
        file = waiting.remove();
        FilePosition from = FilePosition.of(context.offsetStorageReader().offset(file.partition()));
        LOG.info("Plays {} into {} from line {} on", file.identity(), config.topic(), from.line());
        lines = file.open(from, config.maxLineBytes());
      }
      byte[] line = next();
      if (line != null) {
        batch.add(record(line));
        return true;
      }
      LOG.info(
          "{} has been played to its end: {} lines",
          file.identity(),
          lines.position().line());
      close();
    }
    return false;
  }

  private byte[] next() {
    try {
      return lines.next();
    } catch (IOException e) {
      throw StreamFile.unreadable(file.path(), e);
    }
  }

  private SourceRecord record(byte[] line) {
    fields.read(line);
    return new SourceRecord(
        file.partition(),
        lines.position().offset(),
        config.topic(),
        null,
        Schema.OPTIONAL_BYTES_SCHEMA,
        fields.key(),
        Schema.BYTES_SCHEMA,
        line,
        fields.timestamp());
  }

  private void close() {
    try {
      if (lines != null) {
        lines.close();
      }
    } catch (IOException e) {
      LOG.debug("{} was not closed well", file.path(), e);
    }
    lines = null;
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    waiting.clear();
    close();
    notifyAll();
  }
}
