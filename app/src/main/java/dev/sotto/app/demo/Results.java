package dev.sotto.app.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.view.JsonViews;
import java.io.IOException;
import java.nio.file.Path;

/** Writes what a demo came to into files, to be looked at when the broker is gone. */
record Results(Path folder) {
  void write(Follower follower, DemoResult result) throws IOException {
    ObjectMapper json = new ObjectMapper();
    json.writerWithDefaultPrettyPrinter()
        .writeValue(folder.resolve("result.json").toFile(), result.asJson());
    json.writerWithDefaultPrettyPrinter()
        .writeValue(
            folder.resolve("snapshot.json").toFile(), JsonViews.snapshot(follower.model(), true));
    json.writerWithDefaultPrettyPrinter()
        .writeValue(
            folder.resolve("ledger-last.json").toFile(), JsonViews.ledger(follower.newest()));
  }
}
