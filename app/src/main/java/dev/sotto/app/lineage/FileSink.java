package dev.sotto.app.lineage;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/**
 * A file with one event in each line, which others may read at any time. It is its own memory: what
 * a process that was killed has left behind its last whole entry is cut off. One process writes.
 */
final class FileSink implements LineageSink {
  /** What every event begins with. */
  private static final String BEGINNING = "{\"eventType\":\"";

  private final Path file;
  private final FileChannel channel;
  private final LineagePlaces places;

  /**
   * Opens a file, and makes it where there is none.
   *
   * @param ledger the topic
   * @throws SottoException where it cannot be written, another process writes it, or it holds
   *     something else
   */
  FileSink(Path file, String ledger) {
    this.file = file;
    this.places = new LineagePlaces(ledger);
    try {
      channel = FileChannel.open(
          file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (IOException unwritable) {
      throw failed(unwritable);
    }
    try {
      requireAlone();
      long whole = read();
      channel.truncate(whole);
      channel.position(whole);
    } catch (IOException unreadable) {
      close();
      throw failed(unreadable);
    } catch (RuntimeException refused) {
      close();
      throw refused;
    }
  }

  private void requireAlone() throws IOException {
    try {
      if (channel.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException inThisProcess) {
      // as another process
    }
    throw new SottoException(FailureKind.IN_USE, "another lineage writes to " + file);
  }

  /** The end of the last whole entry. */
  private long read() throws IOException {
    InputStream in = new BufferedInputStream(Channels.newInputStream(channel));
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long at = 0;
    long whole = 0;
    long number = 1;
    for (int next = in.read(); next >= 0; next = in.read()) {
      at++;
      if (next != '\n') {
        line.write(next);
        continue;
      }
      LineagePlaces.Kind kind = places.add(line.toByteArray());
      if (kind == LineagePlaces.Kind.FOREIGN) {
        throw foreign("line " + number);
      }
      whole = kind == LineagePlaces.Kind.WHOLE ? at : whole;
      line.reset();
      number++;
    }
    String torn = line.toString(StandardCharsets.UTF_8);
    if (!torn.startsWith(BEGINNING) && !BEGINNING.startsWith(torn)) {
      throw foreign("its end");
    }
    return whole;
  }

  private SottoException foreign(String where) {
    return new SottoException(
        FailureKind.USAGE,
        file + " holds something else than the lineage of this ledger (" + where
            + "): nothing is added to it; choose another file");
  }

  @Override
  public Map<Integer, LedgerPlace> places() {
    return places.all();
  }

  @Override
  public void write(List<EntryEvents> entries) {
    StringBuilder lines = new StringBuilder();
    entries.forEach(entry -> entry.json().forEach(each -> lines.append(each).append('\n')));
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(lines.toString());
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(false);
    } catch (IOException full) {
      throw failed(full);
    }
    entries.forEach(each -> places.add(each.place()));
  }

  private SottoException failed(IOException cause) {
    return new SottoException(
        FailureKind.USAGE,
        "--to must be a file that can be written, but " + file + " cannot: " + cause.getMessage(),
        cause);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException late) {
      throw failed(late);
    }
  }
}
