package dev.sotto.evaluation.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.recording.RecordingOptions;
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
      assertThat(BackgroundFile.read(file, RecordingOptions.defaults(), 100))
          .extracting(event -> new String(event.value(), StandardCharsets.UTF_8))
          .as("a line without anything is no event, as in a replay")
          .containsExactly(LINES.replace("\n\n", "\n").split("\n"));
      assertThat(BackgroundFile.read(file, RecordingOptions.defaults(), 2)).hasSize(2);
    }
    assertThatExceptionOfType(RecordingException.class)
        .isThrownBy(
            () -> BackgroundFile.read(folder.resolve("none"), RecordingOptions.defaults(), 1));
    Path table = Files.writeString(folder.resolve("events.csv"), "x,y\n0.5,1\n");
    assertThat(BackgroundFile.read(table, RecordingOptions.defaults(), 100))
        .singleElement()
        .satisfies(event -> assertThat(new String(event.value(), StandardCharsets.UTF_8))
            .isEqualTo("{\"x\":\"0.5\",\"y\":\"1\"}"));
  }

  @Test
  void keepsEveryEventInItsSlot() throws IOException {
    Path file = Files.writeString(folder.resolve("events.json"), LINES);
    FeatureMap map = FeatureMap.builder()
        .numeric("x", "x", 0, 1, Transform.IDENTITY, false)
        .label("y", new LabelRule.AsItIs())
        .unitField("u")
        .build();
    BackgroundExamples background = BackgroundExamples.of(
        BackgroundFile.read(file, RecordingOptions.defaults(), 100),
        new JsonEventDecoder(map),
        100);
    assertThat(background.size()).isEqualTo(3);
    assertThat(background.usable()).as("the last names no unit").isEqualTo(1);
    Slot slot = new Slot(map.dimension() + 5);
    background.fill(0, slot);
    assertThat(slot.status()).isEqualTo(RecordStatus.USED);
    assertThat(slot.example().label()).isEqualTo(1);
    assertThat(slot.unitLength()).isEqualTo(1);
    background.fill(1, slot);
    assertThat(slot.status()).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(slot.unitLength()).isEqualTo(-1);
    background.fill(2, slot);
    assertThat(slot.example().label()).isZero();
    background.fill(3, slot);
    assertThat(slot.status()).isEqualTo(RecordStatus.EMPTY);
  }
}
