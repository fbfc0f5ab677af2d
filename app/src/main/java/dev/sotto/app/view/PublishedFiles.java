package dev.sotto.app.view;

import dev.sotto.app.predict.ReplayOrigin;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.key.OwnerOnly;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Writes what a replay publishes into a folder, a JSON object a line: {@code ledger.jsonl},
 * {@code snapshots.jsonl} with the weights of every version, {@code metrics.jsonl} and
 * {@code dead-letters.jsonl}; and the newest version of each model to a file that scores ({@link
 * ReplayedModels}). Files of those names are replaced; only their owner can read them.
 */
public final class PublishedFiles implements OutputListener, Closeable {
  private static final List<String> NAMES =
      List.of("ledger", "snapshots", "metrics", "dead-letters");

  private final SnapshotAssembler assembler = new SnapshotAssembler();
  private final ReplayedModels models = new ReplayedModels();
  private final Path folder;
  private final boolean throwaway;
  private final Map<String, BufferedWriter> files = new LinkedHashMap<>();

  /**
   * Makes the folder, and removes what an earlier replay left in it.
   *
   * @param throwaway whether anybody can compute the noise key; every line says so, as the costs in
   *     it mean nothing then
   * @throws SottoException where that cannot be
   */
  public PublishedFiles(Path folder, boolean throwaway) {
    this.folder = folder;
    this.throwaway = throwaway;
    try {
      Files.createDirectories(folder);
      ReplayedModels.removeFrom(folder);
      for (String name : NAMES) {
        Files.deleteIfExists(folder.resolve(name + ".jsonl"));
        OwnerOnly.create(part(name));
        files.put(name, Files.newBufferedWriter(part(name)));
      }
    } catch (IOException unwritable) {
      throw failed(unwritable);
    }
  }

  private Path part(String name) {
    return folder.resolve(name + ".jsonl.part");
  }

  /** Gives the files their names, and writes the models: the replay came to its end. */
  public void complete(ReplayOrigin origin) {
    try {
      for (String name : NAMES) {
        files.get(name).close();
        Files.move(part(name), folder.resolve(name + ".jsonl"));
      }
      models.write(folder, origin);
    } catch (IOException unwritable) {
      throw failed(unwritable);
    }
  }

  private SottoException failed(IOException unwritable) {
    return new SottoException(
        FailureKind.STATE_FOLDER,
        "the folder " + folder + " of --out cannot be written: " + unwritable
            + "; free some space, or name another",
        unwritable);
  }

  @Override
  public void ledger(int partition, String modelId, byte[] entry) {
    write("ledger", RecordDescriptions.entry(Codecs.LEDGER.decode(entry)));
  }

  @Override
  public void snapshot(int partition, String key, byte[] value) {
    models.snapshot(partition, key, value);
    assembler
        .accept(key.getBytes(StandardCharsets.UTF_8), value)
        .ifPresent(model -> write("snapshots", RecordDescriptions.model(model)));
  }

  @Override
  public void metrics(int partition, String modelId, byte[] value) {
    write("metrics", RecordDescriptions.metrics(Codecs.METRICS.decode(value)));
  }

  @Override
  public void deadLetter(Record<byte[], byte[]> letter) {
    Section fields = Section.untitled();
    for (Header each : letter.headers()) {
      fields.fact(
          each.key().substring(each.key().lastIndexOf('.') + 1),
          new String(each.value(), StandardCharsets.UTF_8));
    }
    write(
        "dead-letters",
        fields
            .fact("timestamp", letter.timestamp())
            .fact("keyBase64", base64(letter.key()))
            .fact("valueBase64", base64(letter.value())));
  }

  private static String base64(byte[] bytes) {
    return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
  }

  private void write(String name, Section published) {
    try {
      BufferedWriter file = files.get(name);
      file.write(JsonRenderer.of(throwaway ? published.fact("throwawayKey", true) : published));
      file.newLine();
    } catch (IOException unwritable) {
      throw failed(unwritable);
    }
  }

  /** Takes away what was not completed: all of it, where the disk is full. */
  @Override
  public void close() {
    IOException failed = null;
    for (String name : NAMES) {
      Closeable gone = () -> Files.deleteIfExists(part(name));
      for (Closeable each : List.of(files.get(name), gone)) {
        try {
          each.close();
        } catch (IOException unwritable) {
          failed = unwritable;
        }
      }
    }
    if (failed != null) {
      throw failed(failed);
    }
  }
}
