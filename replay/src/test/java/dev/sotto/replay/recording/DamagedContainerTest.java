package dev.sotto.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.Made.One;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.failure.FailureKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever becomes of a container: a message that names it, never other records than those that
 * were recorded.
 */
class DamagedContainerTest {
  private static final List<RecordedRange> RANGES =
      List.of(new RecordedRange(0, 10, 40, -1), new RecordedRange(2, 0, 9, -1));

  /** Longer than no header here: what lies before is tried less densely. */
  private static final int HEADER = 1800;

  /** Of so many bytes one is tried; a prime, so that no field is left out each time. */
  int stride() {
    return 61;
  }

  @TempDir
  Path folder;

  private Path file;
  private List<One> records;

  @BeforeEach
  void make() {
    file = folder.resolve("recording.avro");
    records = Made.records(0, 8, 1);
    records.addAll(Made.records(2, 3, 1));
  }

  private Encryption write(String codec, boolean encrypted) throws IOException {
    Encryption encryption = encrypted ? Keyset.create(folder.resolve("key")) : Encryption.none();
    Made.write(file, RANGES, records, Compression.of(codec).orElseThrow(), encryption);
    return encryption;
  }

  private Throwable read(Encryption encryption) {
    return catchThrowable(
        () -> assertThat(Made.read(file, RecordingOptions.defaults().with(encryption)))
            .isEqualTo(records));
  }

  private void assertFault(Throwable thrown, String where) {
    assertThat(thrown).as(where).isInstanceOf(RecordingException.class);
    assertThat(thrown.getMessage()).as(where).contains(file.toString());
    assertThat(((RecordingException) thrown).kind()).isEqualTo(FailureKind.RECORDING);
  }

  /** Decoding Base64 leaves out the lowest bits of the last character. */
  @Test
  void tellsEveryBitOfSealedChecksums() throws IOException {
    Encryption encryption = Keyset.create(folder.resolve("key"));
    byte[] whole;
    int last;
    do { // with more records until it ends in such a character
      records = Made.records(0, records.size() + 1, 1);
      Files.deleteIfExists(file);
      Made.write(file, RANGES, records, Compression.NULL, encryption);
      whole = Files.readAllBytes(file);
      String text = new String(whole, StandardCharsets.ISO_8859_1);
      last = text.indexOf("=\"", text.indexOf("\"integrity\":\""));
    } while (last < 0);
    while (whole[last] == '=') {
      last--;
    }
    for (int bit = 0; bit < 8; bit++) {
      byte[] other = whole.clone();
      other[last] ^= (byte) (1 << bit);
      Files.write(file, other);
      assertFault(read(encryption), "bit " + bit + " of byte " + last);
    }
  }

  /** In clear and uncompressed, and wherever it is sealed, no bit is without meaning. */
  @ParameterizedTest
  @CsvSource({"null, false", "zstandard, true"})
  void tellsEveryBitThatFlips(String codec, boolean encrypted) throws IOException {
    Encryption encryption = write(codec, encrypted);
    byte[] whole = Files.readAllBytes(file);
    assertThat(read(encryption)).isNull();
    for (int i = 0; i < whole.length; i += stride()) {
      for (int bit = i % 8; bit < 8 + i % 8; bit += i < HEADER ? 8 : 3) {
        byte[] other = whole.clone();
        other[i] ^= (byte) (1 << bit % 8);
        Files.write(file, other);
        assertFault(read(encryption), "bit " + bit + " of byte " + i);
      }
    }
  }

  /** A length that no array can have: Avro refuses it in a way of its own. */
  @Test
  void tellsAHeaderWithAnImpossibleLength() throws IOException {
    byte[] header = {'O', 'b', 'j', 1, 2, 2, 'a', -2, -1, -1, -1, -1, -1, -1, 31};
    Files.write(file, header);
    assertFault(read(Encryption.none()), "a value of 2^61 bytes");
  }

  /** A compressed block may have bits that mean nothing: then the records are the same. */
  @ParameterizedTest
  @ValueSource(strings = {"deflate", "zstandard"})
  void neverGivesOtherRecords(String codec) throws IOException {
    Encryption encryption = write(codec, false);
    byte[] whole = Files.readAllBytes(file);
    int unnoticed = 0;
    for (int i = HEADER; i < whole.length; i += stride()) {
      for (int bit = i % 3; bit < 8; bit += 3) {
        byte[] other = whole.clone();
        other[i] ^= (byte) (1 << bit);
        Files.write(file, other);
        Throwable thrown = read(encryption);
        if (thrown == null) {
          unnoticed++;
        } else {
          assertFault(thrown, "bit " + bit + " of byte " + i);
        }
      }
    }
    assertThat(unnoticed).isLessThan(2 + 64 / stride());
  }

  @Test
  void tellsATruncatedOneAtEveryLength() throws IOException {
    write("null", false);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length += stride() * (length < HEADER ? 7 : 1)) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertFault(read(Encryption.none()), length + " bytes");
    }
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    assertThat(read(Encryption.none())).hasMessageContaining("it was truncated; restore it");
    Files.write(file, Arrays.copyOf(whole, whole.length + 1));
    assertThat(read(Encryption.none())).hasMessageContaining("it was added to");
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "1, 1"})
  void tellsBlocksThatAreExchangedUnderASeal(int first, int second) throws IOException {
    records = List.of(
        new One(0, 10, 5, null, "same", List.of()), new One(2, 0, 5, null, "sane", List.of()));
    Encryption encryption = write("null", true);
    byte[] whole = Files.readAllBytes(file);
    String text = new String(whole, StandardCharsets.ISO_8859_1);
    String sync = text.substring(text.length() - 16);
    int one = text.indexOf(sync) + 16;
    int two = text.indexOf(sync, one) + 16;
    assertThat(whole.length - two).isEqualTo(two - one);
    byte[] other = whole.clone();
    System.arraycopy(whole, first == 2 ? two : one, other, one, two - one);
    System.arraycopy(whole, second == 2 ? two : one, other, two, two - one);
    Files.write(file, other);
    assertThat(read(encryption))
        .hasMessageContaining("is damaged or was changed: partition " + (first == 2 ? 0 : 2))
        .hasMessageContaining("its key does not open what stands there");
  }

  @Test
  void asksForTheRightKey() throws IOException {
    write("null", true);
    assertFault(read(Encryption.none()), "no key");
    assertThat(read(Encryption.none())).hasMessageContaining("is encrypted, but no encryption key");
    Encryption other = Keyset.create(folder.resolve("other"));
    assertFault(read(other), "another key");
    assertThat(read(other))
        .hasMessageContaining("is encrypted under key")
        .hasMessageContaining("give the keyset that wrote it");
  }

  @Test
  void saysWhichBlockIsDamaged() throws IOException {
    write("null", false);
    byte[] whole = Files.readAllBytes(file);
    int value = new String(whole, StandardCharsets.ISO_8859_1).lastIndexOf("value ");
    whole[value] = 'w';
    Files.write(file, whole);
    assertThat(read(Encryption.none()))
        .hasMessageContaining("partition 2, after offset 2, block at byte ")
        .hasMessageContaining("their digest is another. Record again, or restore the file");
    try (Recording recording =
        Recordings.open(file, RecordingOptions.defaults().with(Integrity.CHECKSUM))) {
      assertThat(Made.read(recording, 0)).hasSize(8);
      try (RecordCursor cursor = recording.open(2)) {
        for (int i = 0; i < 3; i++) {
          assertThat(cursor.next()).isTrue();
        }
        assertThatThrownBy(cursor::next).isInstanceOf(RecordingException.class);
        assertThatThrownBy(cursor::next).isInstanceOf(RecordingException.class);
      }
      assertThatThrownBy(() -> recording.open(1))
          .hasMessageContaining("holds partitions [0, 2], but not 1");
    }
  }

  @Test
  void tellsWhatIsNoRecording() throws IOException {
    assertFault(read(Encryption.none()), "no file");
    assertThat(read(Encryption.none())).hasMessageContaining("does not exist");
    Files.write(file, new byte[0]);
    assertFault(read(Encryption.none()), "empty");
    assertThat(read(Encryption.none())).hasMessageContaining("is empty");
    Files.writeString(file, "what is this");
    assertFault(read(Encryption.none()), "text");
    assertThat(read(Encryption.none()))
        .hasMessageContaining("it does not begin as an Avro file does");
    Files.delete(file);
    Schema foreign = Schema.createArray(Schema.create(Schema.Type.STRING));
    try (var writer = new DataFileWriter<List<String>>(new GenericDatumWriter<>(foreign))) {
      writer.create(foreign, file.toFile()).append(List.of("a"));
    }
    assertFault(read(Encryption.none()), "foreign");
    assertThat(read(Encryption.none()))
        .hasMessageContaining("is an Avro file, but no recording")
        .hasMessageContaining("record makes recordings");
  }
}
