import "./input.css";
import { HostChannel } from "../hostChannel.ts";
import { pageRoot } from "../root.ts";
import { registerToolkit } from "../toolkit.ts";
import { InputPage } from "./page.ts";

registerToolkit();
new InputPage(pageRoot(), new HostChannel());
