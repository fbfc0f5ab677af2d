package dev.sotto.serdes.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.serdes.avro.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SnapshotAssemblerTest {
  private static final byte[] NONSENSE = {1, 2, 3};

  private final SnapshotAssembler assembler = new SnapshotAssembler();

  @Test
  void countsWhatCannotBeRead() {
    assertThat(assembler.acceptAny(key("m/0"), NONSENSE)).isEmpty();
    assertThat(assembler.acceptAny(key("m/manifest"), NONSENSE)).isEmpty();
    assertThat(assembler.acceptAny(key("m/manifest"), null)).isEmpty();
    assertThat(assembler.damaged()).isEqualTo(2);
  }

  @Test
  void throwsForCallersWhoSetRecordsAside() {
    assertThatThrownBy(() -> assembler.accept(key("m/0"), NONSENSE))
        .isInstanceOf(UnreadableRecordException.class);
    assertThat(assembler.damaged()).isZero();
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
