package dev.sotto.app.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.view.JsonViews;
import dev.sotto.app.view.MetricsViews;
import dev.sotto.replay.cluster.Outputs;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Writes what a replay publishes into a folder, a JSON object a line: {@code ledger.jsonl}, {@code snapshots.jsonl}
 * with the weights of every version, {@code metrics.jsonl} and {@code dead-letters.jsonl}. Files of those names are
 * replaced; only their owner can read them.
 */
public final class PublishedFiles implements Outputs, Closeable {
  private static final List<String> NAMES =
      List.of("ledger", "snapshots", "metrics", "dead-letters");

  private final ObjectMapper json = new ObjectMapper();
  private final SnapshotAssembler assembler = new SnapshotAssembler();
  private final Path folder;
  private final boolean throwaway;
  private final Map<String, BufferedWriter> files = new LinkedHashMap<>();

  /**
   * Makes the folder, and removes what an earlier replay left in it.
   *
   * @param throwaway whether anybody can compute the noise key; every line says so, as the costs in it mean nothing then
   * @throws StartFailure where that cannot be
   */
  public PublishedFiles(Path folder, boolean throwaway) {
    this.folder = folder;
    this.throwaway = throwaway;
    try {
      Files.createDirectories(folder);
      for (String name : NAMES) {
        Files.deleteIfExists(folder.resolve(name + ".jsonl"));
        Path file = part(name);
        Files.deleteIfExists(file);
        Files.createFile(file, ownerOnly(file)); // before there is anything to read
        files.put(name, Files.newBufferedWriter(file));
      }
    } catch (IOException unwritable) {
      throw failed(unwritable);
    }
  }

  private Path part(String name) {
    return folder.resolve(name + ".jsonl.part");
  }

  /** Gives the files their names: the replay came to its end. */
  public void complete() {
    try {
      for (String name : NAMES) {
        files.get(name).close();
        Files.move(part(name), folder.resolve(name + ".jsonl"));
      }
    } catch (IOException unwritable) {
      throw failed(unwritable);
    }
  }

  private static FileAttribute<?>[] ownerOnly(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private StartFailure failed(IOException unwritable) {
    return new StartFailure(
        ExitCode.STATE_FOLDER,
        "the folder " + folder + " of --out cannot be written: " + unwritable
            + "; free some space, or name another",
        unwritable);
  }

  @Override
  public void ledger(int partition, String modelId, byte[] entry) {
    write("ledger", JsonViews.ledger(Codecs.LEDGER.decode(entry)));
  }

  @Override
  public void snapshot(int partition, String key, byte[] value) {
    assembler
        .accept(key.getBytes(StandardCharsets.UTF_8), value)
        .ifPresent(model -> write("snapshots", JsonViews.snapshot(model, true)));
  }

  @Override
  public void metrics(int partition, String modelId, byte[] value) {
    write("metrics", MetricsViews.json(Codecs.METRICS.decode(value)));
  }

  @Override
  public void deadLetter(Record<byte[], byte[]> letter) {
    Map<String, Object> line = new LinkedHashMap<>();
    for (Header each : letter.headers()) {
      line.put(
          each.key().substring(each.key().lastIndexOf('.') + 1),
          new String(each.value(), StandardCharsets.UTF_8));
    }
    line.put("timestamp", letter.timestamp());
    line.put("keyBase64", letter.key());
    line.put("valueBase64", letter.value());
    write("dead-letters", line);
  }

  private void write(String name, Map<String, Object> line) {
    try {
      if (throwaway) {
        line.put("throwawayKey", true);
      }
      BufferedWriter file = files.get(name);
      file.write(json.writeValueAsString(line));
      file.newLine();
    } catch (IOException unwritable) {
      throw failed(unwritable);
    }
  }

  /** Takes away what was not completed. */
  @Override
  public void close() {
    try {
      for (String name : NAMES) {
        files.get(name).close();
        Files.deleteIfExists(part(name));
      }
    } catch (IOException unwritable) {
      throw failed(unwritable);
    }
  }
}
