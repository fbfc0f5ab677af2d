package dev.sotto.client.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.WeightsChunk;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class PublishedRecordFormatterTest {
  private static String line(String key, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] bytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
    new PublishedRecordFormatter()
        .writeTo(
            new ConsumerRecord<>("a.snapshots", 2, 7, bytes, value),
            new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  @Test
  void writesRecordsAsJson() {
    byte[] few = Codecs.CHUNK.encode(new WeightsChunk("m \"x\"", 64, 0, new byte[] {1, -1}));
    assertThat(line("m/0", few))
        .isEqualTo("2:7\tm/0\t{\"modelId\":\"m \\\"x\\\"\",\"version\":64,\"index\":0,"
            + "\"weights\":\"01ff\"}");
    byte[] many = Codecs.CHUNK.encode(new WeightsChunk("m", 64, 0, new byte[800]));
    assertThat(line("m/0", many)).contains("\"weights\":\"800 bytes\"");
  }

  @Test
  void saysWhatItDoesNotKnow() {
    assertThat(line(null, null)).isEqualTo("2:7\t-\tnull");
    assertThat(line("k", new byte[] {1, 2})).contains("2 bytes that begin with 0102");
    byte[] cut = Codecs.CHUNK.encode(new WeightsChunk("m", 64, 0, new byte[100]));
    byte[] half = java.util.Arrays.copyOf(cut, cut.length / 2);
    assertThat(line("k", half)).contains("?");
  }
}
