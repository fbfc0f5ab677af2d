package dev.sotto.evaluation.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackgroundFileTest {
  private static final String LINES =
      "{\"x\":0.5,\"y\":1,\"u\":\"a\"}\nnonsense\n\n{\"x\":1,\"y\":0}";

  @TempDir
  private Path folder;

  @Test
  void readsLinesAndUnzipsThem() throws IOException {
    Path plain = Files.writeString(folder.resolve("events.json"), LINES);
    Path zipped = folder.resolve("events.json.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
      out.write(LINES.getBytes(StandardCharsets.UTF_8));
    }
    for (Path file : List.of(plain, zipped)) {
      assertThat(BackgroundFile.read(file, 100))
          .extracting(event -> new String(event.value(), StandardCharsets.UTF_8))
          .containsExactly(LINES.split("\n"));
      assertThat(BackgroundFile.read(file, 2)).hasSize(2);
    }
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> BackgroundFile.read(folder.resolve("none"), 1));
  }

  @Test
  void keepsEveryEventInItsSlot() throws IOException {
    Path file = Files.writeString(folder.resolve("events.json"), LINES);
    FeatureMap map = FeatureMap.builder()
        .numeric("x", "x", 0, 1, Transform.IDENTITY, false)
        .label("y", new LabelRule.AsItIs())
        .unitField("u")
        .build();
    BackgroundExamples background =
        BackgroundExamples.of(BackgroundFile.read(file, 100), new JsonEventDecoder(map), 100);
    assertThat(background.size()).isEqualTo(4);
    Slot slot = new Slot(map.dimension() + 5);
    background.fill(0, slot);
    assertThat(slot.status()).isEqualTo(RecordStatus.USED);
    assertThat(slot.example().label()).isEqualTo(1);
    assertThat(slot.unitLength()).isEqualTo(1);
    background.fill(1, slot);
    assertThat(slot.status()).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(slot.unitLength()).isEqualTo(-1);
    background.fill(3, slot);
    assertThat(slot.example().label()).isZero();
    background.fill(4, slot);
    assertThat(slot.status()).isEqualTo(RecordStatus.EMPTY);
  }
}
