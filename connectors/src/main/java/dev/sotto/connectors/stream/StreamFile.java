package dev.sotto.connectors.stream;

import dev.sotto.learner.key.Sha256;
import dev.sotto.serdes.text.WholeGzip;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * A recorded file, identified by its name, its size and a hash of its bytes: it stays the same file
 * wherever it is moved, and one that has changed is another file, played from its beginning.
 *
 * @param path where it is
 * @param identity {@code name:size:hash}, the hash being the first 16 hex digits of SHA-256
 */
record StreamFile(Path path, String identity) {
  /**
   * The one field of a source partition. One, and no more: Connect finds stored offsets by the
   * partition's bytes, and a map of several fields has several spellings.
   */
  static final String FILE = "file";

  private static final int BUFFER = 1 << 16;

  /** Reads the whole file to learn its identity. */
  static StreamFile of(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      MessageDigest hash = Sha256.digest();
      byte[] buffer = new byte[BUFFER];
      long size = 0;
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        hash.update(buffer, 0, count);
        size += count;
      }
      String prefix = HexFormat.of().formatHex(hash.digest(), 0, 8);
      return new StreamFile(path, path.getFileName() + ":" + size + ":" + prefix);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  static ConnectException unreadable(Path path, IOException why) {
    return new ConnectException(
        RecordedStreamConfig.FILES + " must name readable files, but " + path + " was not: " + why,
        why);
  }

  /** Its source partition. */
  Map<String, String> partition() {
    return Map.of(FILE, identity);
  }

  /** The lines from a position on, which must be where a line begins. */
  StreamLineReader open(FilePosition from, int maxLineBytes) {
    try {
      InputStream in = Files.newInputStream(path);
      try {
        InputStream plain = path.toString().endsWith(".gz") ? new WholeGzip(in, BUFFER) : in;
        return new StreamLineReader(path.toString(), plain, from, maxLineBytes);
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /**
   * Where a line begins.
   *
   * @throws ConnectException if the file has fewer lines
   */
  FilePosition at(long line, int maxLineBytes) {
    try (StreamLineReader lines = open(FilePosition.atLine(line), maxLineBytes)) {
      return lines.position();
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /** How many lines it has. */
  long lines(int maxLineBytes) {
    try (StreamLineReader lines = open(FilePosition.START, maxLineBytes)) {
      while (lines.next() != null) {
        // only counted
      }
      return lines.position().line();
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }
}
